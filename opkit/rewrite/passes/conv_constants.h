// Folds what follows a Conv, as a factor and a summand per output channel, into its weights and
// bias.
#ifndef OPKIT_REWRITE_PASSES_CONV_CONSTANTS_H_
#define OPKIT_REWRITE_PASSES_CONV_CONSTANTS_H_

#include <functional>
#include <optional>
#include <vector>

#include "opkit/rewrite/passes/edit.h"

namespace opkit::passes {

// y * scale + shift, a value per channel.
struct Affine {
  std::vector<double> scale, shift;
};

// What a node computes of its first operand, which has so many channels in axis 1 of so many axes;
// nothing when the node is another one.
using AffineOf =
    std::function<std::optional<Affine>(const graph::Node& node, int64_t channels, size_t rank)>;

// Every such node behind a Conv of floats with constant weights and bias that nothing else reads
// goes into the Conv, rounded to its dtype. How many there were.
size_t fold_into_convs(graph::Graph& graph, const AffineOf& affine_of);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_CONV_CONSTANTS_H_
