#include "opkit/rewrite/passes/unrolled_layer.h"

#include <algorithm>
#include <cmath>

#include "opkit/rewrite/passes/edit.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using Texts = std::vector<std::string>;

// Both directions together. Each step is some fifteen nodes until an op takes them all.
constexpr int64_t kMostSteps = 1024;

// Returns the activations of one direction that names none: one per kind of gate, and one of the
// state.
Texts usual_activations(const std::string& op_type) {
  if (op_type == "RNN") return {"Tanh"};
  if (op_type == "GRU") return {"Sigmoid", "Tanh"};
  return {"Sigmoid", "Tanh", "Tanh"};
}

int64_t gates_of(const std::string& op_type) {
  if (op_type == "RNN") return 1;
  return op_type == "GRU" ? 3 : 4;
}

Texts activations_of(const Node& node, int64_t directions) {
  const auto stated = node.attributes.find("activations");
  if (stated != node.attributes.end()) {
    const auto* names = std::get_if<Texts>(&stated->second);
    if (names && !names->empty()) return *names;
  }
  Texts all;
  for (int64_t d = 0; d < directions; ++d) {
    for (const std::string& name : usual_activations(node.op_type)) all.push_back(name);
  }
  return all;
}

bool is_operator(const std::string& activation) {
  return activation == "Sigmoid" || activation == "Tanh" || activation == "Relu";
}

// Tells whether every sequence has all steps.
bool of_full_length(const Graph& graph, const UnrolledLayer& layer) {
  if (!layer.has_input(4)) return true;
  const graph::RefTensor* lengths = graph.constant(layer.node.inputs[4]);
  return lengths && std::all_of(lengths->values.begin(), lengths->values.end(), [&](double length) {
           return length == static_cast<double>(layer.steps);
         });
}

bool does_more(const UnrolledLayer& layer) {
  const Node& node = layer.node;
  return layer.has_input(7) || number_of(node, "input_forget", 0) != 0 ||
         std::isfinite(number_of(node, "clip", INFINITY)) ||
         node.attributes.count("activation_alpha") > 0 ||
         node.attributes.count("activation_beta") > 0;
}

}  // namespace

bool UnrolledLayer::backwards(int64_t direction) const {
  return direction == 1 || text_of(node, "direction") == "reverse";
}

std::string UnrolledLayer::activation(int64_t direction, size_t i) const {
  const size_t each = activations.size() / static_cast<size_t>(directions);
  return activations[static_cast<size_t>(direction) * each + i];
}

std::optional<UnrolledLayer> unrolled_layer(const Graph& graph, const Node& node) {
  if (node.op_type != "RNN" && node.op_type != "GRU" && node.op_type != "LSTM") return {};
  if (graph.opset < graph::kDefaultOpset) return {};
  const Shape *x = filled_shape_of(graph, node.inputs[0]),
              *r = filled_shape_of(graph, node.inputs[2]);
  if (!x || !r) return {};
  UnrolledLayer layer{node};
  layer.batch_first = number_of(node, "layout", 0) != 0;
  layer.linear_before_reset = number_of(node, "linear_before_reset", 0) != 0;
  layer.steps = (*x)[layer.batch_first ? 1 : 0];
  layer.batch = (*x)[layer.batch_first ? 0 : 1];
  layer.features = (*x)[2];
  layer.directions = (*r)[0];
  layer.hidden = (*r)[2];
  layer.gates = gates_of(node.op_type);
  layer.dtype = dtype_of(graph, node.inputs[0]);
  layer.activations = activations_of(node, layer.directions);
  const bool usual = std::all_of(layer.activations.begin(), layer.activations.end(), is_operator);
  if (!usual || does_more(layer) || !of_full_length(graph, layer)) return {};
  if (layer.steps > kMostSteps / layer.directions) return {};
  return layer;
}

}  // namespace opkit::passes
