// Gives a BatchNormalization that does not train the default momentum: nothing reads it.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {

Result<size_t> state_norms(graph::Graph& graph) {
  constexpr double kMomentum = 0.9;
  size_t changes = 0;
  for (graph::Node& node : graph.nodes) {
    if (node.op_type != "BatchNormalization" || number_of(node, "training_mode", 0) != 0) continue;
    const auto stated = node.attributes.find("momentum");
    if (stated == node.attributes.end() || number_of(node, "momentum", 0) == kMomentum) continue;
    stated->second = kMomentum;
    ++changes;
  }
  return changes;
}

}  // namespace opkit::passes
