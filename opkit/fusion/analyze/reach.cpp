#include "opkit/fusion/analyze/reach.h"

#include <algorithm>

namespace opkit::analyze {
namespace {

using graph::Graph;
using graph::Node;

int64_t rank_of(const Graph& graph, const std::string& value) {
  return static_cast<int64_t>(graph.values.at(value).shape->dims().size());
}

// Axes stand in the second operand, or, of older operators, in an attribute.
bool reduces_last_axis(const Graph& graph, const Node& node) {
  if (!node.op_type.starts_with("Reduce")) return false;
  const auto keep = node.attributes.find("keepdims");
  const bool states = keep != node.attributes.end();
  const auto* number = states ? std::get_if<int64_t>(&keep->second) : nullptr;
  if (number != nullptr && *number == 0) return false;
  std::vector<double> axes;
  if (node.inputs.size() > 1 && graph.constant(node.inputs[1]) != nullptr)
    axes = graph.constant(node.inputs[1])->values;
  const auto stated = node.attributes.find("axes");
  if (stated != node.attributes.end()) {
    if (const auto* list = std::get_if<std::vector<int64_t>>(&stated->second))
      axes.assign(list->begin(), list->end());
  }
  const auto last = static_cast<double>(rank_of(graph, node.inputs[0]) - 1);
  return axes.size() == 1 && (axes[0] == -1 || axes[0] == last);
}

bool along_last_axis(const Graph& graph, const Node& node) {
  const auto axis = node.attributes.find("axis");
  if (axis == node.attributes.end()) return true;
  const auto* number = std::get_if<int64_t>(&axis->second);
  return number != nullptr && (*number == -1 || *number == rank_of(graph, node.inputs[0]) - 1);
}

}  // namespace

Reach reach_of(const Graph& graph, const Node& node) {
  const reference::Operator* op = reference::find_operator(node.op_type);
  if (op == nullptr) return Reach::kWhole;
  if (reduces_last_axis(graph, node)) return Reach::kRow;
  if (op->reach == Reach::kRow && !along_last_axis(graph, node)) return Reach::kWhole;
  return op->reach;
}

Reach reach_of(const Graph& graph, const std::vector<size_t>& nodes) {
  bool rows = false;
  for (const size_t n : nodes) {
    const Reach reach = reach_of(graph, graph.nodes[n]);
    if (reach == Reach::kWhole) return reach;
    rows = rows || reach == Reach::kRow;
  }
  return rows ? Reach::kRow : Reach::kElement;
}

}  // namespace opkit::analyze
