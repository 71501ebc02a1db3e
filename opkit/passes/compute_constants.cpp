#include "opkit/passes/compute_constants.h"

#include <algorithm>

#include "opkit/reference/evaluate.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

bool is_constant(const Graph& graph, const Node& node) {
  return std::all_of(node.inputs.begin(), node.inputs.end(), [&](const std::string& input) {
    return input.empty() || graph.constant(input) != nullptr;
  });
}

Status evaluate(Graph& graph, const Node& node) {
  std::vector<const RefTensor*> operands;
  for (const std::string& input : node.inputs)
    operands.push_back(input.empty() ? nullptr : graph.constant(input));
  OPKIT_TRY(
      std::vector<RefTensor> results,
      reference::evaluate_node(node, operands, graph.opset, {reference::Precision::kRounded}));
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!node.outputs[i].empty()) graph.add_constant(node.outputs[i], std::move(results[i]));
  }
  return {};
}

}  // namespace

Result<size_t> compute_constants(Graph& graph, const WorthStoring& worth_storing) {
  std::vector<Node> kept;
  for (Node& node : graph.nodes) {
    if (is_constant(graph, node) && worth_storing(graph, node)) {
      OPKIT_CHECK(evaluate(graph, node));
    } else {
      kept.push_back(std::move(node));
    }
  }
  const size_t computed = graph.nodes.size() - kept.size();
  graph.nodes = std::move(kept);
  return computed;
}

}  // namespace opkit::passes
