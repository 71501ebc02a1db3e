// Writes numbers that are operands as scalars of int64: the depth of a OneHot, the k of a TopK and
// of a Trilu, which may leave it out.
#include <cmath>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

constexpr size_t kOperand = 1;

bool has_number(const std::string& op) { return op == "OneHot" || op == "TopK" || op == "Trilu"; }

// As the operand or, of an older TopK, the attribute says. Nothing when it is no constant, or no
// whole number.
std::optional<double> number_at(const Graph& graph, const Node& node) {
  const bool given = node.inputs.size() > kOperand && !node.inputs[kOperand].empty();
  if (!given && node.op_type == "TopK" && node.attributes.count("k") > 0)
    return number_of(node, "k", 0);
  if (!given) return node.op_type == "Trilu" ? std::optional(0.0) : std::nullopt;
  const graph::RefTensor* known = graph.constant(node.inputs[kOperand]);
  if (!known || known->elements() != 1 || known->values[0] != std::trunc(known->values[0]))
    return std::nullopt;
  return known->values[0];
}

bool is_stated(const Graph& graph, const Node& node) {
  const graph::RefTensor* known =
      node.inputs.size() > kOperand ? graph.constant(node.inputs[kOperand]) : nullptr;
  return known && known->dtype == DType::kInt64 && known->shape.rank() == 0;
}

}  // namespace

Result<size_t> state_numbers(Graph& graph) {
  size_t changes = 0;
  for (Node& node : graph.nodes) {
    if (!has_number(node.op_type) || graph.opset < graph::kDefaultOpset) continue;
    const auto number = number_at(graph, node);
    if (!number || is_stated(graph, node)) continue;
    node.inputs.resize(std::max(node.inputs.size(), kOperand + 1));
    node.inputs[kOperand] =
        add_constant(graph, result_of(node) + "/number", {DType::kInt64, Shape{}, {*number}});
    if (node.op_type == "TopK") node.attributes.erase("k");
    ++changes;
  }
  return changes;
}

}  // namespace opkit::passes
