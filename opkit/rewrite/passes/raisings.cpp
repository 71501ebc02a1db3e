#include "opkit/rewrite/passes/raisings.h"

#include "opkit/rewrite/passes/edit.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

bool always(const Graph&, const Node&) { return true; }

bool has_known_type(const Graph& graph, const Node& node) {
  return dtype_of(graph, node.inputs[0]) != DType::kUndefined;
}

// Bounds that were left out are the largest magnitudes of binary32, whatever the type of x.
void raise_clip(Graph& graph, size_t n) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  graph.nodes[n].attributes.emplace("min", -kLargest);
  graph.nodes[n].attributes.emplace("max", kLargest);
}

// Every one that is not per channel was refused by inference.
void raise_batch_norm(Graph& graph, size_t n) { graph.nodes[n].attributes.erase("spatial"); }

// A mask has the type of x before version 10, that of truth since.
void raise_dropout(Graph& graph, size_t n) {
  Node& node = graph.nodes[n];
  node.attributes.erase("ratio");
  if (node.outputs.size() < 2 || node.outputs[1].empty() || graph.opset >= 10) return;
  const std::string mask = node.outputs[1];
  const std::string type(name_of(dtype_of(graph, node.inputs[0])));
  const std::string truth = fresh_name(graph, mask + "/truth");
  node.outputs[1] = truth;
  graph.nodes.push_back({"Cast", {truth}, {mask}, {{"to", type}}});
}

void raise_roi_align(Graph& graph, size_t n) {
  graph.nodes[n].attributes.emplace("coordinate_transformation_mode",
                                    std::string("output_half_pixel"));
}

void raise_scatter(Graph& graph, size_t n) { graph.nodes[n].op_type = "ScatterElements"; }

// The axis is an attribute before version 20.
void raise_dft(Graph& graph, size_t n) {
  const double axis = number_of(graph.nodes[n], "axis", 1);
  const std::string operand =
      add_constant(graph, graph.nodes[n].outputs[0] + "/axis", {DType::kInt64, Shape{}, {axis}});
  Node& node = graph.nodes[n];
  node.attributes.erase("axis");
  node.inputs.resize(2);
  node.inputs.push_back(operand);
}

}  // namespace

const std::vector<Raising>& raisings() {
  static const std::vector<Raising> kRaisings = {
      {"Clip", 6, 10, always, raise_clip},
      {"BatchNormalization", 1, 8, always, raise_batch_norm},
      {"DFT", 17, 19, always, raise_dft},
      {"Dropout", 1, 11, has_known_type, raise_dropout},
      {"GroupNormalization", 21, kNewestVersion, is_group_norm_ready, lower_group_norm},
      {"Hardmax", 1, 12, is_softmax_ready, raise_softmax},
      {"LogSoftmax", 1, 12, is_softmax_ready, raise_softmax},
      {"OneHot", 1, 10, is_one_hot_ready, raise_one_hot},
      {"Resize", 10, 10, is_resize_ready, raise_resize},
      {"RoiAlign", 1, 15, always, raise_roi_align},
      {"Scatter", 1, kNewestVersion, always, raise_scatter},
      {"Softmax", 1, 12, is_softmax_ready, raise_softmax},
      {"Upsample", 1, kNewestVersion, always, raise_upsample},
  };
  return kRaisings;
}

}  // namespace opkit::passes
