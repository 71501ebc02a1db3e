// A Reshape to a constant shape reads what a Reshape before it reads.
#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {
namespace {

// Tells whether a Reshape's dims hold neither 0 nor -1, which would mean something else on another
// operand.
bool has_fixed_shape(const graph::Graph& graph, const graph::Node& node) {
  const graph::RefTensor* shape =
      node.inputs.size() == 2 ? graph.constant(node.inputs[1]) : nullptr;
  return shape != nullptr && std::all_of(shape->values.begin(), shape->values.end(),
                                         [](double dim) { return dim > 0; });
}

}  // namespace

Result<size_t> join_reshapes(graph::Graph& graph) {
  size_t changes = 0;
  const Uses uses(graph);
  for (graph::Node& node : graph.nodes) {
    if (node.op_type != "Reshape" || !has_fixed_shape(graph, node)) continue;
    const graph::Node* before = uses.definition(node.inputs[0]);
    if (before == nullptr || before->op_type != "Reshape") continue;
    node.inputs[0] = before->inputs[0];
    ++changes;
  }
  return changes;
}

}  // namespace opkit::passes
