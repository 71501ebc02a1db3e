// Writes a Clip whose bounds are left out or computed as Max and Min.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rephrasings.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

// Returns the operand; empty when there is none.
std::string operand(const Node& node, size_t index) {
  return node.inputs.size() > index ? node.inputs[index] : "";
}

}  // namespace

Parts rephrase_bounds(Graph& graph, size_t n) {
  const Node node = graph.nodes[n];
  if (node.op_type != "Clip" || graph.opset < graph::kDefaultOpset) return {};
  const std::string low = operand(node, 1), high = operand(node, 2);
  if (graph.constant(low) && graph.constant(high)) return {};
  const std::string y = node.outputs[0];
  if (low.empty() && high.empty()) {
    graph.nodes[n] = {"Identity", {node.inputs[0]}, {y}, {}};
    return std::vector<std::string>();
  }
  if (low.empty() || high.empty()) {
    graph.nodes[n] = low.empty() ? Node{"Min", {node.inputs[0], high}, {y}, {}}
                                 : Node{"Max", {node.inputs[0], low}, {y}, {}};
    return std::vector{y};
  }
  const std::string raised = fresh_name(graph, y + "/raised");
  graph.nodes[n] = {"Max", {node.inputs[0], low}, {raised}, {}};
  graph.nodes.push_back({"Min", {raised, high}, {y}, {}});
  return std::vector{raised, y};
}

}  // namespace opkit::passes
