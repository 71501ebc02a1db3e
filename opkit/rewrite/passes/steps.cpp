#include "opkit/rewrite/passes/steps.h"

#include <algorithm>
#include <set>

#include "opkit/rewrite/passes/edit.h"

namespace opkit::passes {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

namespace {

constexpr size_t kScaleOperand = 1, kZeroOperand = 2;
constexpr double kAxisOtherwise = 1;

bool has_steps(const Node& node) {
  return (node.op_type == "QuantizeLinear" || node.op_type == "DequantizeLinear") &&
         node.inputs.size() > kScaleOperand && number_of(node, "block_size", 0) == 0;
}

// Returns nothing when there is an axis that the operand has not.
std::optional<int64_t> axis_of(const Graph& graph, const Node& node, int64_t scales) {
  const Shape* shape = shape_of(graph, node.inputs[0]);
  if (shape == nullptr) return std::nullopt;
  const auto rank = static_cast<int64_t>(shape->rank());
  auto axis = static_cast<int64_t>(number_of(node, "axis", kAxisOtherwise));
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank || (*shape)[static_cast<size_t>(axis)] != scales)
    return std::nullopt;
  return axis;
}

}  // namespace

std::optional<QuantizedSteps> steps_of(const Graph& graph, const Node& node) {
  if (!has_steps(node)) return std::nullopt;
  const RefTensor* scale = graph.constant(node.inputs[kScaleOperand]);
  if (scale == nullptr || scale->dtype != DType::kFloat32 || scale->elements() == 0)
    return std::nullopt;
  QuantizedSteps steps;
  steps.scale = scale->values;
  const bool quantizes = node.op_type == "QuantizeLinear";
  const bool has_zero = node.inputs.size() > kZeroOperand && !node.inputs[kZeroOperand].empty();
  const RefTensor* zero = has_zero ? graph.constant(node.inputs[kZeroOperand]) : nullptr;
  if (has_zero && (zero == nullptr || zero->elements() != scale->elements())) return std::nullopt;
  steps.zero = zero != nullptr ? zero->values : std::vector<double>(scale->values.size(), 0.0);
  steps.dtype = dtype_of(graph, quantizes ? node.outputs[0] : node.inputs[0]);
  if (steps.is_one()) return steps;
  const auto axis = axis_of(graph, node, scale->elements());
  if (!axis) return std::nullopt;
  steps.axis = *axis;
  return steps;
}

std::vector<std::string> add_steps(Graph& graph, const std::string& stem,
                                   const QuantizedSteps& steps) {
  const Shape shape = steps.is_one() ? Shape{} : Shape{static_cast<int64_t>(steps.scale.size())};
  return {add_constant(graph, stem + "/scale", {DType::kFloat32, shape, steps.scale}),
          add_constant(graph, stem + "/zero", {steps.dtype, shape, steps.zero})};
}

bool dequantizes_constant(const Graph& graph, const Node& node) {
  return node.op_type == "DequantizeLinear" && !node.inputs.empty() &&
         graph.constant(node.inputs[0]) != nullptr;
}

bool is_quantized(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) {
    return node.op_type == "DequantizeLinear" || node.op_type == "QuantizeLinear" ||
           node.op_type.starts_with("QLinear");
  });
}

bool moves_numbers(const Node& node) {
  static const std::set<std::string> kMoves = {
      "Reshape", "Flatten",      "Squeeze",      "Unsqueeze", "Transpose", "Slice",  "Split",
      "Tile",    "DepthToSpace", "SpaceToDepth", "Identity",  "Concat",    "MaxPool"};
  const bool places = node.op_type == "MaxPool" && node.outputs.size() > 1;
  return kMoves.count(node.op_type) > 0 && !places;
}

}  // namespace opkit::passes
