// Conv, then a product with a constant per channel: the factor goes into weights and bias.
#include "opkit/rewrite/passes/conv_constants.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {

Result<size_t> fold_scale(graph::Graph& graph) {
  return fold_into_convs(graph, [&](const graph::Node& node, int64_t channels, size_t rank) {
    const auto constant = node.op_type == "Mul" && node.attributes.count("axis") == 0
                              ? per_channel(graph, node.inputs[1], channels, 1, rank)
                              : std::nullopt;
    return constant ? std::optional(Affine{*constant, std::vector<double>(constant->size(), 0.0)})
                    : std::nullopt;
  });
}

}  // namespace opkit::passes
