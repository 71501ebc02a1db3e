// Counts axes from the front, those of reductions as an attribute and CumSum's as a scalar, and
// states the axis of Softmax and its like and the order of a Transpose that leaves it out.
#include <algorithm>
#include <set>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using Integers = std::vector<int64_t>;

// Operators whose `axis` counts the dims of their first operand.
bool has_axis(const std::string& op) {
  static const std::set<std::string> kOps = {
      "Softmax", "LogSoftmax",         "Hardmax", "Concat",         "Split",           "Gather",
      "ArgMax",  "LayerNormalization", "ArgMin",  "GatherElements", "ScatterElements", "TopK"};
  return kOps.count(op) > 0;
}

// Tells whether it is a Softmax, whose default is the last axis since version 13.
bool is_softmax(const std::string& op) {
  return op == "Softmax" || op == "LogSoftmax" || op == "Hardmax";
}

size_t state_axis(const Graph& graph, Node& node, int64_t rank) {
  const auto stated = node.attributes.find("axis");
  const bool last =
      stated == node.attributes.end() && is_softmax(node.op_type) && graph.opset >= 13 && rank > 0;
  if (last) {
    node.attributes["axis"] = rank - 1;
    return 1;
  }
  if (stated == node.attributes.end() || std::get<int64_t>(stated->second) >= 0) return 0;
  std::get<int64_t>(stated->second) += rank;
  return 1;
}

// Newer versions have the axes of reductions as an operand.
size_t state_axes_operand(const Graph& graph, Node& node) {
  if (!node.op_type.starts_with("Reduce") || node.inputs.size() != 2) return 0;
  const graph::RefTensor* axes = graph.constant(node.inputs[1]);
  if (axes == nullptr) return 0;
  if (axes->elements() == 0) {  // is as good as absent
    node.inputs.pop_back();
    return 1;
  }
  node.attributes["axes"] = Integers(axes->values.begin(), axes->values.end());
  node.inputs.pop_back();
  return 1;
}

// CumSum has its axis as an operand, a scalar or a list of one.
size_t state_scalar_axis(Graph& graph, Node& node, int64_t rank) {
  if (node.op_type != "CumSum" || node.inputs.size() != 2) return 0;
  const graph::RefTensor* known = graph.constant(node.inputs[1]);
  if (known == nullptr || known->elements() != 1) return 0;
  const double axis = known->values[0] + (known->values[0] < 0 ? static_cast<double>(rank) : 0);
  graph::RefTensor scalar{DType::kInt64, Shape{}, {axis}};
  if (known->dtype == scalar.dtype && known->shape == scalar.shape &&
      known->values == scalar.values)
    return 0;
  node.inputs[1] = add_constant(graph, node.outputs[0] + "/axis", std::move(scalar));
  return 1;
}

// Drops noop_with_empty_axes, which says nothing beside axes.
size_t reset_noop(Node& node) {
  const auto stated = node.attributes.find("axes");
  const auto* axes =
      stated == node.attributes.end() ? nullptr : std::get_if<Integers>(&stated->second);
  if (axes == nullptr || axes->empty() || number_of(node, "noop_with_empty_axes", 0) == 0) return 0;
  node.attributes["noop_with_empty_axes"] = int64_t{0};
  return 1;
}

size_t state_axes_list(Node& node, int64_t rank) {
  const auto stated = node.attributes.find("axes");
  if (stated == node.attributes.end() || !node.op_type.starts_with("Reduce")) return 0;
  auto* axes = std::get_if<Integers>(&stated->second);
  if (axes == nullptr) return 0;
  Integers counted = *axes;
  for (int64_t& axis : counted) axis += axis < 0 ? rank : 0;
  std::sort(counted.begin(), counted.end());
  if (counted == *axes) return 0;
  *axes = std::move(counted);
  return 1;
}

size_t state_order(Node& node, int64_t rank) {
  if (node.op_type != "Transpose" || node.attributes.count("perm") > 0) return 0;
  Integers reversed;
  for (int64_t axis = rank; axis-- > 0;) reversed.push_back(axis);
  node.attributes["perm"] = std::move(reversed);
  return 1;
}

}  // namespace

Result<size_t> state_axes(Graph& graph) {
  size_t changes = 0;
  for (Node& node : graph.nodes) {
    const Shape* shape = node.inputs.empty() ? nullptr : shape_of(graph, node.inputs[0]);
    if (shape == nullptr) continue;
    const auto rank = static_cast<int64_t>(shape->rank());
    if (has_axis(node.op_type)) changes += state_axis(graph, node, rank);
    if (node.op_type == "OneHot") changes += state_axis(graph, node, rank + 1);
    changes += state_axes_operand(graph, node) + state_scalar_axis(graph, node, rank);
    changes += state_axes_list(node, rank) + state_order(node, rank);
    if (node.op_type.starts_with("Reduce")) changes += reset_noop(node);
  }
  return changes;
}

}  // namespace opkit::passes
