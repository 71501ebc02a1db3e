// States the one scale and zero point of a QuantizeLinear or DequantizeLinear as scalars, and a
// zero point that is left out.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

constexpr size_t kScale = 1, kZero = 2;
constexpr int64_t kDefaultAxis = 1;

bool has_scale(const Node& node) {
  return node.op_type == "QuantizeLinear" || node.op_type == "DequantizeLinear";
}

size_t state_scalar(Graph& graph, Node& node, size_t operand, const char* name) {
  const graph::RefTensor* known = graph.constant(node.inputs[operand]);
  if (known == nullptr || known->elements() != 1 || known->shape.rank() == 0) return 0;
  node.inputs[operand] =
      add_constant(graph, node.outputs[0] + "/" + name, {known->dtype, Shape{}, known->values});
  return 1;
}

size_t state_zero(Graph& graph, Node& node) {
  if (node.inputs.size() > kZero && !node.inputs[kZero].empty())
    return state_scalar(graph, node, kZero, "zero");
  const bool quantizes = node.op_type == "QuantizeLinear";
  const DType dtype = dtype_of(graph, quantizes ? node.outputs[0] : node.inputs[0]);
  if (dtype == DType::kUndefined) return 0;
  node.inputs.resize(kZero + 1);
  node.inputs[kZero] = add_constant(graph, node.outputs[0] + "/zero", {dtype, Shape{}, {0}});
  node.attributes.erase("output_dtype");
  return 1;
}

// Drops the axis, which counts nothing where there is one scale.
size_t reset_axis(Node& node) {
  if (number_of(node, "axis", kDefaultAxis) == kDefaultAxis) return 0;
  node.attributes["axis"] = kDefaultAxis;
  return 1;
}

}  // namespace

Result<size_t> state_scales(Graph& graph) {
  size_t changes = 0;
  for (Node& node : graph.nodes) {
    if (!has_scale(node) || graph.opset < graph::kDefaultOpset) continue;
    const graph::RefTensor* scale = graph.constant(node.inputs[kScale]);
    if (scale == nullptr || scale->elements() != 1) continue;
    changes += state_scalar(graph, node, kScale, "scale") + state_zero(graph, node);
    changes += reset_axis(node);
  }
  return changes;
}

}  // namespace opkit::passes
