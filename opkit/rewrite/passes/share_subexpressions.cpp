// Computes once what is computed twice: nodes of one operator with the same operands and
// attributes, and constants of the same value.
#include <cmath>
#include <map>

#include "opkit/graph/text.h"
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

// Equal text means equal computation.
std::string key_of(const Node& node) {
  Graph alone;
  alone.nodes.push_back(node);
  alone.nodes[0].name.clear();
  for (std::string& output : alone.nodes[0].outputs) output = output.empty() ? "" : "o";
  return to_text(alone);
}

size_t share_constants(Graph& graph) {
  std::map<std::pair<std::string, std::vector<double>>, std::string> first;
  size_t changes = 0;
  const Uses uses(graph);
  for (const auto& [name, value] : graph.values) {
    if (value.constant == nullptr || value.constant->elements() > 4096 || uses.readers(name) == 0)
      continue;
    bool plain = true;  // a NaN equals nothing, -0 equals 0
    for (const double v : value.constant->values)
      plain = plain && v == v && (v != 0 || !std::signbit(v));
    if (!plain) continue;
    const std::string type = std::string(name_of(value.dtype)) + value.shape->to_string();
    const auto [place, fresh] = first.try_emplace({type, value.constant->values}, name);
    if (fresh || uses.is_output(name)) continue;
    redirect(graph, name, place->second);
    ++changes;
  }
  return changes;
}

}  // namespace

Result<size_t> share_subexpressions(Graph& graph) {
  size_t changes = share_constants(graph);
  std::map<std::string, Node> first;
  const Uses uses(graph);
  for (Node& node : graph.nodes) {
    const auto [place, fresh] = first.try_emplace(key_of(node), node);
    if (fresh) continue;
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i].empty() || uses.readers(node.outputs[i]) == 0) continue;
      const size_t own = uses.is_output(node.outputs[i]) ? 1 : 0;
      if (uses.readers(node.outputs[i]) == own) continue;  // only an output, which keeps its node
      redirect(graph, node.outputs[i], place->second.outputs[i]);
      ++changes;
    }
  }
  return changes;
}

}  // namespace opkit::passes
