// States every attribute that has its default, so that equal nodes look equal.
#include "opkit/reference/operators.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {

Result<size_t> state_defaults(graph::Graph& graph) {
  size_t changes = 0;
  for (graph::Node& node : graph.nodes) {
    const reference::Operator* op = reference::find_operator(node.op_type);
    for (const reference::AttributeSpec& spec : op->attributes) {
      if (!spec.otherwise || graph.opset > spec.until) continue;
      changes += node.attributes.emplace(spec.name, *spec.otherwise).second;
    }
  }
  return changes;
}

}  // namespace opkit::passes
