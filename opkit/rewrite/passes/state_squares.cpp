// Writes the second power of floats as a product: x * x, rounded once, is the same number.
#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {
namespace {

bool is_square(const graph::Graph& graph, const graph::Node& node) {
  if (node.op_type != "Pow" || node.inputs.size() != 2) return false;
  const graph::RefTensor* exponent = graph.constant(node.inputs[1]);
  const Shape *base = shape_of(graph, node.inputs[0]), *result = shape_of(graph, node.outputs[0]);
  return exponent != nullptr && exponent->elements() > 0 && base != nullptr && result != nullptr &&
         *base == *result && is_float(graph.values.at(node.inputs[0]).dtype) &&
         std::all_of(exponent->values.begin(), exponent->values.end(),
                     [](double value) { return value == 2; });
}

}  // namespace

Result<size_t> state_squares(graph::Graph& graph) {
  size_t changes = 0;
  for (graph::Node& node : graph.nodes) {
    if (!is_square(graph, node)) continue;
    node.op_type = "Mul";
    node.inputs[1] = node.inputs[0];
    ++changes;
  }
  return changes;
}

}  // namespace opkit::passes
