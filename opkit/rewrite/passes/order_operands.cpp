// Puts the constant of a commutative operator behind its other operand.
#include <set>
#include <utility>

#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {

Result<size_t> order_operands(graph::Graph& graph) {
  static const std::set<std::string> kCommutative = {
      "Add", "Mul",   "Max",        "Min",       "And",       "Or",
      "Xor", "Equal", "BitwiseAnd", "BitwiseOr", "BitwiseXor"};
  size_t changes = 0;
  for (graph::Node& node : graph.nodes) {
    if (node.inputs.size() != 2 || kCommutative.count(node.op_type) == 0) continue;
    if (node.attributes.count("axis") > 0) continue;  // old versions align the second operand
    const bool first = graph.constant(node.inputs[0]) != nullptr;
    const bool second = graph.constant(node.inputs[1]) != nullptr;
    if (!first || second) continue;
    std::swap(node.inputs[0], node.inputs[1]);
    ++changes;
  }
  return changes;
}

}  // namespace opkit::passes
