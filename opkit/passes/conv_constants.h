// Weights and bias of a Conv that are constants, to be scaled and shifted per output channel.
#ifndef OPKIT_PASSES_CONV_CONSTANTS_H_
#define OPKIT_PASSES_CONV_CONSTANTS_H_

#include <optional>
#include <vector>

#include "opkit/passes/edit.h"

namespace opkit::passes {

struct ConvConstants {
  graph::RefTensor weights;
  std::vector<double> bias;  // zeros when the node has none
};

// Nothing when the node is no Conv of floats with constant weights and bias.
std::optional<ConvConstants> conv_constants(const graph::Graph& graph, const graph::Node& node);

// The Conv that alone feeds `value`, which is no output of the graph; null when there is none.
graph::Node* only_conv_before(graph::Graph& graph, const Uses& uses, const std::string& value);

// y * scale + shift per channel, into weights and bias, rounded to the dtype; the Conv then defines
// `result`, and what defined it is left without readers.
void absorb(graph::Graph& graph, graph::Node& conv, ConvConstants constants,
            const std::vector<double>& scale, const std::vector<double>& shift);

// Lets the Conv define what `node` defined, and `node` a name that nobody reads.
void take_over(graph::Node& conv, graph::Node& node);

}  // namespace opkit::passes

#endif  // OPKIT_PASSES_CONV_CONSTANTS_H_
