// A Cast of a Cast to a float type that holds every value of its operand's is one Cast.
#include "opkit/passes/edit.h"
#include "opkit/passes/rewrites.h"

namespace opkit::passes {
namespace {

bool holds_all(DType wide, DType narrow) {
  const bool sixteen = narrow == DType::kFloat16 || narrow == DType::kBFloat16;
  if (wide == DType::kFloat32) return sixteen;
  return wide == DType::kFloat64 && (sixteen || narrow == DType::kFloat32);
}

}  // namespace

Result<size_t> join_casts(graph::Graph& graph) {
  size_t changes = 0;
  const Uses uses(graph);
  for (graph::Node& node : graph.nodes) {
    if (node.op_type != "Cast") continue;
    const graph::Node* before = uses.definition(node.inputs[0]);
    if (before == nullptr || before->op_type != "Cast") continue;
    const DType first = dtype_of(graph, before->inputs[0]);
    if (!holds_all(dtype_of(graph, node.inputs[0]), first)) continue;
    node.inputs[0] = before->inputs[0];
    ++changes;
  }
  return changes;
}

}  // namespace opkit::passes
