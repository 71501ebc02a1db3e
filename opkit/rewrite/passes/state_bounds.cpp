// States the bounds of a Clip as operands, where older versions have attributes, and leaves out a
// bound that no number reaches.
#include <cmath>

#include "opkit/reference/tensor.h"
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

bool has_operand(const Node& node, size_t operand) {
  return node.inputs.size() > operand && !node.inputs[operand].empty();
}

size_t state_bound(Graph& graph, Node& node, size_t operand, const char* attribute,
                   double nowhere) {
  const bool stated = node.attributes.count(attribute) > 0;
  const double number = number_of(node, attribute, nowhere);
  node.attributes.erase(attribute);
  if (!has_operand(node, operand)) {
    if (!stated) return 0;
    const DType dtype = dtype_of(graph, node.inputs[0]);
    const double bound = reference::rounded_to(dtype, number);
    if (bound == nowhere) return 1;
    if (node.inputs.size() <= operand) node.inputs.resize(operand + 1);
    node.inputs[operand] =
        add_constant(graph, node.outputs[0] + "/" + attribute, {dtype, Shape{}, {bound}});
    return 1;
  }
  const graph::RefTensor* known = graph.constant(node.inputs[operand]);
  if (known == nullptr || known->elements() != 1 || (*known)[0] != nowhere) return stated ? 1 : 0;
  node.inputs[operand].clear();
  return 1;
}

size_t drop_absent(Node& node) {
  size_t dropped = 0;
  for (; node.inputs.size() > 1 && node.inputs.back().empty(); ++dropped) node.inputs.pop_back();
  return dropped;
}

}  // namespace

Result<size_t> state_bounds(Graph& graph) {
  size_t changes = 0;
  for (Node& node : graph.nodes) {
    if (node.op_type != "Clip" || graph.opset < graph::kDefaultOpset) continue;
    if (dtype_of(graph, node.inputs[0]) == DType::kUndefined) continue;
    changes += state_bound(graph, node, 1, "min", -INFINITY);
    changes += state_bound(graph, node, 2, "max", INFINITY) + drop_absent(node);
  }
  return changes;
}

}  // namespace opkit::passes
