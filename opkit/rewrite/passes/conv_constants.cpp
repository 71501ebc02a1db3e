#include "opkit/rewrite/passes/conv_constants.h"

#include "opkit/reference/tensor.h"

namespace opkit::passes {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

namespace {

struct ConvConstants {
  RefTensor weights;
  std::vector<double> bias;  // zeros when the node has none
};

// Returns nothing when the node is no Conv of floats with constant weights and bias.
std::optional<ConvConstants> conv_constants(const Graph& graph, const Node& node) {
  if (node.op_type != "Conv" || node.inputs.size() < 2) return std::nullopt;
  const RefTensor* weights = graph.constant(node.inputs[1]);
  if (weights == nullptr || weights->shape.rank() < 3) return std::nullopt;
  ConvConstants constants{*weights,
                          std::vector<double>(static_cast<size_t>(weights->shape[0]), 0.0)};
  if (node.inputs.size() > 2 && !node.inputs[2].empty()) {
    const RefTensor* bias = graph.constant(node.inputs[2]);
    if (bias == nullptr) return std::nullopt;
    constants.bias = bias->values;
  }
  return constants;
}

// Returns the Conv that alone feeds `value`, which is no output of the graph; null when there is
// none.
Node* only_conv_before(Graph& graph, const Uses& uses, const std::string& value) {
  const Node* definition = uses.definition(value);
  if (definition == nullptr || definition->op_type != "Conv" || uses.readers(value) != 1)
    return nullptr;
  return &graph.nodes[static_cast<size_t>(definition - graph.nodes.data())];
}

void absorb(Graph& graph, Node& conv, ConvConstants constants, const Affine& affine) {
  RefTensor& weights = constants.weights;
  const int64_t channels = weights.shape[0];
  const int64_t filter = channels == 0 ? 0 : weights.elements() / channels;
  RefTensor bias{weights.dtype, Shape{channels}, constants.bias};
  for (int64_t m = 0; m < channels; ++m) {
    const size_t c = static_cast<size_t>(m);
    bias[m] = reference::rounded_to(bias.dtype, bias[m] * affine.scale[c] + affine.shift[c]);
    for (int64_t i = m * filter; i < (m + 1) * filter; ++i)
      weights[i] = reference::rounded_to(weights.dtype, weights[i] * affine.scale[c]);
  }
  const std::string stem = conv.outputs[0];
  conv.inputs.resize(3);
  conv.inputs[1] = add_constant(graph, stem + "/weights", std::move(weights));
  conv.inputs[2] = add_constant(graph, stem + "/bias", std::move(bias));
}

// Lets the Conv define what `node` defined, and `node` a name that nobody reads.
void take_over(Node& conv, Node& node) {
  std::swap(conv.outputs[0], node.outputs[0]);
  node.inputs[0] = conv.outputs[0];
}

bool fold_into_conv(Graph& graph, const Uses& uses, Node& node, const AffineOf& affine_of) {
  Node* conv = node.inputs.empty() ? nullptr : only_conv_before(graph, uses, node.inputs[0]);
  auto constants = conv != nullptr ? conv_constants(graph, *conv) : std::nullopt;
  if (!constants) return false;
  const Shape& shape = constants->weights.shape;
  const auto affine = affine_of(node, shape[0], shape.rank());
  if (!affine) return false;
  absorb(graph, *conv, std::move(*constants), *affine);
  take_over(*conv, node);
  return true;
}

}  // namespace

size_t fold_into_convs(Graph& graph, const AffineOf& affine_of) {
  const Uses uses(graph);
  size_t changes = 0;
  for (Node& node : graph.nodes) changes += fold_into_conv(graph, uses, node, affine_of) ? 1 : 0;
  return changes;
}

}  // namespace opkit::passes
