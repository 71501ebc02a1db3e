// Writes Flatten, Squeeze, Unsqueeze and every Reshape as Reshape to a constant shape without 0 and
// -1, where the result's shape is known.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

bool is_reshape(const Node& node) {
  return node.op_type == "Reshape" || node.op_type == "Flatten" || node.op_type == "Squeeze" ||
         node.op_type == "Unsqueeze";
}

std::vector<double> dims_of(const Shape& shape) {
  return std::vector<double>(shape.dims().begin(), shape.dims().end());
}

bool is_stated(const Graph& graph, const Node& node, const Shape& result) {
  if (node.op_type != "Reshape" || node.inputs.size() != 2) return false;
  const graph::RefTensor* shape = graph.constant(node.inputs[1]);
  return shape != nullptr && shape->values == dims_of(result);
}

}  // namespace

Result<size_t> state_reshapes(Graph& graph) {
  size_t changes = 0;
  for (Node& node : graph.nodes) {
    const Shape* result = is_reshape(node) ? shape_of(graph, node.outputs[0]) : nullptr;
    if (result == nullptr || is_stated(graph, node, *result)) continue;
    bool empty = false;  // a dim of 0 would copy the operand's
    for (const int64_t dim : result->dims()) empty = empty || dim == 0;
    if (empty) continue;
    graph::RefTensor shape{DType::kInt64, Shape{static_cast<int64_t>(result->rank())},
                           dims_of(*result)};
    const std::string operand = node.inputs[0];
    const std::string target = add_constant(graph, node.outputs[0] + "/shape", std::move(shape));
    node.op_type = "Reshape";
    node.inputs = {operand, target};
    node.attributes.clear();
    ++changes;
  }
  return changes;
}

}  // namespace opkit::passes
