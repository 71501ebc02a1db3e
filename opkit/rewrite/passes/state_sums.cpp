// Writes a Sum of two operands as Add.
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {

Result<size_t> state_sums(graph::Graph& graph) {
  size_t changes = 0;
  for (graph::Node& node : graph.nodes) {
    if (node.op_type != "Sum" || node.inputs.size() != 2) continue;
    node.op_type = "Add";
    ++changes;
  }
  return changes;
}

}  // namespace opkit::passes
