// Computes once what is computed twice: nodes of one operator with the same operands and
// attributes, and constants of the same value.
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>

#include "opkit/graph/text.h"
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

// Says of two nodes whether it is worth writing them as text.
std::string hint_of(const Node& node) {
  std::string hint = node.op_type;
  for (const std::string& input : node.inputs) hint.append(1, '\n').append(input);
  return hint;
}

// Equal text means equal computation.
std::string key_of(const Node& node) {
  Graph alone;
  alone.nodes.push_back(node);
  alone.nodes[0].name.clear();
  for (std::string& output : alone.nodes[0].outputs) output = output.empty() ? "" : "o";
  return to_text(alone);
}

// Orders constants by type, dims and elements.
struct ByValue {
  bool operator()(const graph::RefTensor* a, const graph::RefTensor* b) const {
    return std::tie(a->dtype, a->shape.dims(), a->values) <
           std::tie(b->dtype, b->shape.dims(), b->values);
  }
};

size_t share_constants(Graph& graph) {
  std::map<const graph::RefTensor*, const std::string*, ByValue> first;
  Redirections redirections;
  size_t changes = 0;
  const Uses uses(graph);
  for (const auto& [name, value] : graph.values) {
    if (value.constant == nullptr || value.constant->elements() > 4096 || uses.readers(name) == 0)
      continue;
    bool plain = true;  // a NaN equals nothing, -0 equals 0
    for (const double v : value.constant->values)
      plain = plain && v == v && (v != 0 || !std::signbit(v));
    if (!plain) continue;
    const auto [place, fresh] = first.try_emplace(value.constant.get(), &name);
    if (fresh || uses.is_output(name)) continue;
    redirections.add(name, *place->second);
    ++changes;
  }
  if (changes == 0) return 0;
  for (Node& node : graph.nodes) redirections.apply(node);
  return changes;
}

// The nodes that were met, one of each computation.
class FirstNodes {
 public:
  // Returns the one that computes what `node` does, or null: then `node` is the first.
  const Node* find_or_add(const Node& node) {
    std::vector<One>& alike = by_hint_[hint_of(node)];
    if (alike.empty()) return alike.push_back({&node, ""}), nullptr;
    std::string key = key_of(node);
    for (One& one : alike) {
      if (one.key.empty()) one.key = key_of(*one.node);
      if (one.key == key) return one.node;
    }
    alike.push_back({&node, std::move(key)});
    return nullptr;
  }

 private:
  struct One {
    const Node* node;
    std::string key;  // written when it is asked for
  };
  std::unordered_map<std::string, std::vector<One>> by_hint_;
};

}  // namespace

Result<size_t> share_subexpressions(Graph& graph) {
  size_t changes = share_constants(graph);
  FirstNodes first;
  Redirections redirections;
  const Uses uses(graph);
  for (Node& node : graph.nodes) {
    redirections.apply(node);
    if (node.op_type == "DequantizeLinear") continue;  // split_dequantizations
    const Node* same = first.find_or_add(node);
    if (same == nullptr) continue;
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i].empty() || uses.readers(node.outputs[i]) == 0) continue;
      const size_t own = uses.is_output(node.outputs[i]) ? 1 : 0;
      if (uses.readers(node.outputs[i]) == own) continue;  // only an output, which keeps its node
      redirections.add(node.outputs[i], same->outputs[i]);
      ++changes;
    }
  }
  return changes;
}

}  // namespace opkit::passes
