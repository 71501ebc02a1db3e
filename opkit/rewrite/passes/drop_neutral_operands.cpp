// x + 0, x - 0, x * 1, x / 1 and x ^ 1 are x, where the constant does not widen the shape. Integers
// and floats alike: every rounding keeps x. (-0 + 0 is 0, which equals -0.)
#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

bool is_all(const Graph& graph, const std::string& name, double value) {
  const graph::RefTensor* tensor = graph.constant(name);
  return tensor != nullptr && tensor->elements() > 0 &&
         std::all_of(tensor->values.begin(), tensor->values.end(),
                     [&](double v) { return v == value; });
}

// Returns the operand that the node gives back; empty when there is none.
std::string kept_operand(const Graph& graph, const Node& node) {
  if (node.inputs.size() != 2 || node.attributes.count("axis") > 0) return "";
  const std::string &a = node.inputs[0], &b = node.inputs[1];
  const bool sum = node.op_type == "Add", product = node.op_type == "Mul";
  if ((sum || node.op_type == "Sub") && is_all(graph, b, 0)) return a;
  if ((product || node.op_type == "Div" || node.op_type == "Pow") && is_all(graph, b, 1)) return a;
  if (sum && is_all(graph, a, 0)) return b;
  return product && is_all(graph, a, 1) ? b : "";
}

}  // namespace

Result<size_t> drop_neutral_operands(Graph& graph) {
  size_t changes = 0;
  const Uses uses(graph);
  Redirections redirections;
  for (Node& node : graph.nodes) {
    redirections.apply(node);
    const std::string& result = node.outputs[0];
    const std::string kept = kept_operand(graph, node);
    if (kept.empty()) continue;
    const Shape *before = shape_of(graph, kept), *after = shape_of(graph, result);
    if (before == nullptr || after == nullptr || *before != *after) continue;
    if (uses.readers(result) == (uses.is_output(result) ? 1u : 0u)) continue;
    redirections.add(result, kept);
    ++changes;
  }
  return changes;
}

}  // namespace opkit::passes
