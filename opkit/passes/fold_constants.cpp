// Evaluates nodes whose operands are constants. Results are rounded to their dtypes, as the chip
// would store them; a result that is much larger than its operands stays a node.
#include <algorithm>

#include "opkit/passes/edit.h"
#include "opkit/passes/rewrites.h"
#include "opkit/reference/evaluate.h"

namespace opkit::passes {
namespace {

constexpr int64_t kSmall = 1 << 16;  // elements that may always be stored

bool is_worth_storing(const graph::Graph& graph, const graph::Node& node) {
  int64_t before = kSmall, after = 0;
  for (const std::string& input : node.inputs) {
    if (!input.empty()) before += graph.constant(input)->elements();
  }
  for (const std::string& output : node.outputs) {
    const Shape* shape = output.empty() ? nullptr : shape_of(graph, output);
    if (shape == nullptr && !output.empty()) return false;
    if (shape != nullptr) after += shape->elements();
  }
  return after <= before;
}

bool is_constant(const graph::Graph& graph, const graph::Node& node) {
  return std::all_of(node.inputs.begin(), node.inputs.end(), [&](const std::string& input) {
    return input.empty() || graph.constant(input) != nullptr;
  });
}

Status fold(graph::Graph& graph, const graph::Node& node) {
  std::vector<const graph::RefTensor*> operands;
  for (const std::string& input : node.inputs)
    operands.push_back(input.empty() ? nullptr : graph.constant(input));
  OPKIT_TRY(
      std::vector<graph::RefTensor> results,
      reference::evaluate_node(node, operands, graph.opset, {reference::Precision::kRounded}));
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!node.outputs[i].empty()) graph.add_constant(node.outputs[i], std::move(results[i]));
  }
  return {};
}

}  // namespace

Result<size_t> fold_constants(graph::Graph& graph) {
  std::vector<graph::Node> kept;
  size_t changes = 0;
  for (graph::Node& node : graph.nodes) {
    if (!is_constant(graph, node) || !is_worth_storing(graph, node)) {
      kept.push_back(std::move(node));
      continue;
    }
    OPKIT_CHECK(fold(graph, node));
    ++changes;
  }
  graph.nodes = std::move(kept);
  return changes;
}

}  // namespace opkit::passes
