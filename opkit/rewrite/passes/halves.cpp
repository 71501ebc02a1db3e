#include "opkit/rewrite/passes/halves.h"

#include <optional>
#include <set>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

// Tells which half of its operand's last dim a Slice takes, 0 or 1; nothing: it takes something
// else.
std::optional<int64_t> half_of(const Graph& graph, const Node& node) {
  const Shape* shape = node.op_type == "Slice" ? filled_shape_of(graph, node.inputs[0]) : nullptr;
  if (shape == nullptr || shape->rank() == 0) return std::nullopt;
  const auto last = static_cast<int64_t>(shape->rank()) - 1;
  const int64_t dim = (*shape)[shape->rank() - 1], half = dim / 2;
  const auto starts = integers_of(graph, node, 1, "starts", std::nullopt);
  const auto ends = integers_of(graph, node, 2, "ends", std::nullopt);
  const auto axes = integers_of(graph, node, 3, "axes", std::nullopt);
  const auto steps = integers_of(graph, node, 4, "steps", std::nullopt);
  if (dim % 2 != 0 || axes != Integers{last} || steps != Integers{1}) return std::nullopt;
  if (starts == Integers{0} && ends == Integers{half}) return 0;
  if (starts == Integers{half} && ends == Integers{dim}) return 1;
  return std::nullopt;
}

// Returns the Slice that takes the other half of the same value, or the number of nodes.
size_t other_half(const Graph& graph, const Readers& readers, const std::string& value) {
  for (const size_t n : readers.of(value)) {
    if (graph.nodes[n].inputs[0] == value && half_of(graph, graph.nodes[n]) == 1) return n;
  }
  return graph.nodes.size();
}

}  // namespace

size_t split_halves(const Graph& graph, const Readers& readers, Graph& form) {
  std::set<size_t> gone;
  size_t changes = 0;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    if (half_of(graph, graph.nodes[n]) != 0) continue;
    const std::string& value = graph.nodes[n].inputs[0];
    const size_t other = other_half(graph, readers, value);
    if (other == graph.nodes.size() || !gone.insert(other).second) continue;
    const Shape& shape = *shape_of(graph, value);
    const double half = static_cast<double>(shape[shape.rank() - 1]) / 2;
    const std::string sizes = add_constant(form, graph.nodes[n].outputs[0] + "/split",
                                           {DType::kInt64, Shape{2}, {half, half}});
    form.nodes[n] = {"Split",
                     {value, sizes},
                     {graph.nodes[n].outputs[0], graph.nodes[other].outputs[0]},
                     {{"axis", static_cast<int64_t>(shape.rank()) - 1}}};
    ++changes;
  }
  for (auto n = gone.rbegin(); n != gone.rend(); ++n)
    form.nodes.erase(form.nodes.begin() + static_cast<std::ptrdiff_t>(*n));
  return changes;
}

}  // namespace opkit::passes
