// Masks that are chosen by data, as sums.
#include <map>
#include <tuple>

#include "opkit/rewrite/passes/attention.h"
#include "opkit/rewrite/passes/edit.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

class Masks {
 public:
  explicit Masks(Graph& graph) : graph_(graph) {}

  // Null: the condition has no number for each column of the scores.
  const std::string* of_choice(const Node& choice, bool keeps, const Shape& scores) {
    const std::string& seen = choice.inputs[0];
    const Shape* shape = shape_of(graph_, seen);
    if (shape == nullptr || !broadcasts_to_scores(*shape, scores)) return nullptr;
    const RefTensor& fill = *graph_.constant(choice.inputs[keeps ? 2 : 1]);
    return &once({keeps ? "seen" : "hidden", seen, fill.dtype, fill[0]}, *shape, [&] {
      const std::string zero = number(fill.dtype, 0), lowest = number(fill.dtype, fill[0]);
      return Node{"Where", {seen, keeps ? zero : lowest, keeps ? lowest : zero}, {}, {}};
    });
  }

  // Null: likewise of the mask.
  const std::string* of_raised(const std::string& mask, const RefTensor& least,
                               const Shape& scores) {
    const Shape* shape = shape_of(graph_, mask);
    if (shape == nullptr || !broadcasts_to_scores(*shape, scores)) return nullptr;
    return &once({"raised", mask, least.dtype, least[0]}, *shape, [&] {
      return Node{"Max", {mask, number(least.dtype, least[0])}, {}, {}};
    });
  }

 private:
  struct Key {
    std::string kind, value;
    DType dtype;
    double lowest;

    bool operator<(const Key& other) const {
      return std::tie(kind, value, dtype, lowest) <
             std::tie(other.kind, other.value, other.dtype, other.lowest);
    }
  };

  template <class Make>
  const std::string& once(const Key& key, Shape shape, Make make) {
    const auto known = made_.find(key);
    if (known != made_.end()) return known->second;
    Node node = make();
    const std::string name =
        add_node(graph_, node.op_type, std::move(node.inputs), key.value + "/" + key.kind);
    graph_.values[name] = {key.dtype, std::move(shape), Format::kND, nullptr};
    return made_.emplace(key, name).first->second;
  }

  std::string number(DType dtype, double value) {
    return add_constant(graph_, "attention/number", {dtype, Shape{}, {value}});
  }

  Graph& graph_;
  std::map<Key, std::string> made_;
};

// The operands of the sum that stands for a choice; empty: none does. `mask`: what is raised.
std::vector<std::string> sum_for(const Graph& graph, const Readers& readers, const Node& choice,
                                 const std::string& mask, Masks& masks) {
  const Shape scores = *shape_of(graph, choice.outputs[0]);
  if (choice.op_type == "Where") {
    const RefTensor* fill = graph.constant(choice.inputs[2]);
    const bool keeps = fill != nullptr && fill->elements() == 1 && (*fill)[0] <= kAbsorbs;
    const std::string* chosen = masks.of_choice(choice, keeps, scores);
    if (chosen == nullptr) return {};
    return {choice.inputs[keeps ? 1 : 2], *chosen};
  }
  const Node sum = graph.nodes[readers.definition(choice.inputs[0])];
  const std::string* raised = masks.of_raised(mask, *graph.constant(choice.inputs[1]), scores);
  if (raised == nullptr) return {};
  return {sum.inputs[sum.inputs[0] == mask ? 1 : 0], *raised};
}

}  // namespace

size_t add_choices(Graph& graph) {
  const Readers readers(graph);
  Masks masks(graph);
  size_t changes = 0;
  const size_t count = graph.nodes.size();
  for (size_t n = 0; n < count; ++n) {
    if (graph.nodes[n].op_type != "Softmax") continue;
    const auto one = attention_at(graph, readers, graph.nodes[n]);
    if (!one || one->choice.empty()) continue;
    const size_t at = readers.definition(one->choice);
    const Node choice = graph.nodes[at];
    std::vector<std::string> sum = sum_for(graph, readers, choice, one->mask, masks);
    if (sum.empty()) continue;
    graph.nodes[at] = {"Add", std::move(sum), choice.outputs, {}};
    ++changes;
  }
  return changes;
}

}  // namespace opkit::passes
