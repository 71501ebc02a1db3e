// Conv, then a product with a constant per channel: the factor goes into weights and bias.
#include "opkit/passes/conv_constants.h"
#include "opkit/passes/rewrites.h"

namespace opkit::passes {

Result<size_t> fold_scale(graph::Graph& graph) {
  size_t changes = 0;
  const Uses uses(graph);
  for (graph::Node& node : graph.nodes) {
    if (node.op_type != "Mul" || node.attributes.count("axis") > 0) continue;
    graph::Node* conv = only_conv_before(graph, uses, node.inputs[0]);
    auto constants = conv != nullptr ? conv_constants(graph, *conv) : std::nullopt;
    if (!constants) continue;
    const int64_t channels = constants->weights.shape[0];
    const auto scale =
        per_channel(graph, node.inputs[1], channels, 1, constants->weights.shape.rank());
    if (!scale) continue;
    absorb(graph, *conv, std::move(*constants), *scale,
           std::vector<double>(static_cast<size_t>(channels), 0.0));
    take_over(*conv, node);
    node.inputs[0] = conv->outputs[0];
    ++changes;
  }
  return changes;
}

}  // namespace opkit::passes
