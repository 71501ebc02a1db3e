// Conv, then a sum with a constant per channel: the summand goes into the bias.
#include "opkit/rewrite/passes/conv_constants.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {

Result<size_t> fold_bias(graph::Graph& graph) {
  return fold_into_convs(graph, [&](const graph::Node& node, int64_t channels, size_t rank) {
    const auto constant = node.op_type == "Add" && node.attributes.count("axis") == 0
                              ? per_channel(graph, node.inputs[1], channels, 1, rank)
                              : std::nullopt;
    return constant ? std::optional(Affine{std::vector<double>(constant->size(), 1.0), *constant})
                    : std::nullopt;
  });
}

}  // namespace opkit::passes
