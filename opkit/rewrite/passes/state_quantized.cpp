// Writes QLinearConv and QLinearMatMul as DequantizeLinear, Conv or MatMul, and QuantizeLinear: the
// form in which exporters write quantised models otherwise. The sums in between are no longer
// exact, and a result may be the neighbour of a half.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"
#include "opkit/rewrite/passes/steps.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

// Places of operands in both operators.
constexpr size_t kA = 0, kB = 3, kScaleOfY = 6, kZeroOfY = 7, kBias = 8;

// The steps of an operand with its scale and its zero point behind it, whichever is one for all.
std::optional<QuantizedSteps> stated_steps(const Graph& graph, const Node& node, size_t operand,
                                           int64_t axis) {
  const RefTensor *scale = graph.constant(node.inputs[operand + 1]),
                  *zero = graph.constant(node.inputs[operand + 2]);
  if (scale == nullptr || zero == nullptr || scale->dtype != DType::kFloat32) return std::nullopt;
  QuantizedSteps steps{zero->dtype, scale->values, zero->values, axis};
  const size_t count = std::max(steps.scale.size(), steps.zero.size());
  for (std::vector<double>* values : {&steps.scale, &steps.zero}) {
    if (values->size() != count && values->size() != 1) return std::nullopt;
    values->resize(count, values->empty() ? 0 : values->front());
  }
  return count == 0 ? std::nullopt : std::optional(steps);
}

std::string dequantized(Graph& graph, const std::string& from, const std::string& stem,
                        const QuantizedSteps& steps) {
  std::vector<std::string> inputs = add_steps(graph, stem, steps);
  inputs.insert(inputs.begin(), from);
  std::map<std::string, graph::Attribute> attributes;
  if (!steps.is_one()) attributes["axis"] = steps.axis;
  return add_node(graph, "DequantizeLinear", std::move(inputs), stem, std::move(attributes));
}

// A bias is in steps of a product.
std::string bias_of(Graph& graph, const std::string& bias, const std::string& stem, double x_scale,
                    const QuantizedSteps& w) {
  QuantizedSteps steps{DType::kInt32, w.scale, std::vector<double>(w.scale.size(), 0.0), 0};
  for (double& scale : steps.scale) scale *= x_scale;
  return dequantized(graph, bias, stem, steps);
}

// Tells whether the steps are one, or one for each position along their axis.
bool fit(const QuantizedSteps& steps, const Shape& shape) {
  const auto axis = static_cast<size_t>(steps.axis);
  return steps.is_one() || static_cast<int64_t>(steps.scale.size()) == shape[axis];
}

bool state_layer(Graph& graph, size_t n) {
  const Node node = graph.nodes[n];
  const bool convolves = node.op_type == "QLinearConv";
  const Shape* b_shape = shape_of(graph, node.inputs[kB]);
  if (b_shape == nullptr || b_shape->rank() < 2) return false;
  const auto a = stated_steps(graph, node, kA, 0);
  const auto b =
      stated_steps(graph, node, kB, convolves ? 0 : static_cast<int64_t>(b_shape->rank()) - 1);
  if (!a || !b || !a->is_one() || !fit(*b, *b_shape)) return false;
  const std::string y = node.outputs[0];
  std::vector<std::string> operands = {dequantized(graph, node.inputs[kA], y + "/a", *a),
                                       dequantized(graph, node.inputs[kB], y + "/b", *b)};
  if (node.inputs.size() > kBias && !node.inputs[kBias].empty())
    operands.push_back(bias_of(graph, node.inputs[kBias], y + "/bias", a->scale[0], *b));
  const std::string real = add_node(graph, convolves ? "Conv" : "MatMul", std::move(operands),
                                    y + "/real", node.attributes);
  graph.nodes.back().name = node.name;
  Node& left = graph.nodes[n];
  left.op_type = "QuantizeLinear";
  left.inputs = {real, node.inputs[kScaleOfY], node.inputs[kZeroOfY]};
  left.attributes.clear();
  return true;
}

}  // namespace

Result<size_t> state_quantized(Graph& graph) {
  if (graph.opset < graph::kDefaultOpset) return size_t{0};
  size_t changes = 0;
  const size_t count = graph.nodes.size();
  for (size_t n = 0; n < count; ++n) {
    const std::string& op = graph.nodes[n].op_type;
    if (op == "QLinearConv" || op == "QLinearMatMul") changes += state_layer(graph, n) ? 1 : 0;
  }
  return changes;
}

}  // namespace opkit::passes
