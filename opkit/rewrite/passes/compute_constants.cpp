#include "opkit/rewrite/passes/compute_constants.h"

#include <algorithm>

#include "opkit/graph/bodies.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/infer.h"
#include "opkit/reference/opaque.h"
#include "opkit/rewrite/passes/edit.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

// Says whether the node asks only for a shape that is known, so that its result is constant even
// where its operand is not.
bool is_known_shape(const Graph& graph, const Node& node) {
  if ((node.op_type != "Shape" && node.op_type != "Size") || node.inputs.size() != 1) return false;
  const Shape* shape = shape_of(graph, node.inputs[0]);
  return shape != nullptr && shape->is_static() &&
         dtype_of(graph, node.inputs[0]) != DType::kUndefined;
}

bool is_constant(const Graph& graph, const Node& node) {
  if (is_known_shape(graph, node)) return true;
  if (reference::is_opaque(node.op_type) || graph::has_bodies(node.op_type)) return false;
  return std::all_of(node.inputs.begin(), node.inputs.end(), [&](const std::string& input) {
    return input.empty() || graph.constant(input) != nullptr;
  });
}

Status state_shape(Graph& graph, const Node& node) {
  const graph::ValueInfo operand = graph.values.at(node.inputs[0]);
  OPKIT_TRY(const auto results, reference::infer_node(node, {&operand}, graph.opset));
  if (results[0].constant) graph.add_constant(node.outputs[0], *results[0].constant);
  return {};
}

Status evaluate(Graph& graph, const Node& node) {
  if (is_known_shape(graph, node)) return state_shape(graph, node);
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
