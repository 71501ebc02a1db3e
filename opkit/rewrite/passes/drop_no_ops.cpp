// Removes nodes whose result is their first operand: Identity, Dropout at inference, Cast to the
// dtype that is there, reshapes and expansions to the shape that is there, Transpose that keeps the
// order, reductions that keep one element each, and operators of any number of inputs that have
// one.
#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

bool is_one_of(const std::string& op, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), op) != names.end();
}

bool keeps_order(const Node& node, size_t rank) {
  const auto perm = node.attributes.find("perm");
  if (perm == node.attributes.end()) return rank < 2;
  const auto& order = std::get<std::vector<int64_t>>(perm->second);
  for (size_t d = 0; d < order.size(); ++d) {
    const int64_t axis = order[d] < 0 ? order[d] + static_cast<int64_t>(rank) : order[d];
    if (axis != static_cast<int64_t>(d)) return false;
  }
  return true;
}

// Training with a ratio that is not 0 would have been refused by inference of constants only.
bool drops_nothing(const Graph& graph, const Node& node) {
  const bool mask = node.outputs.size() > 1 && !node.outputs[1].empty();
  if (mask || node.inputs.size() < 3 || node.inputs[2].empty()) return !mask;
  const graph::RefTensor* training = graph.constant(node.inputs[2]);
  return training != nullptr && training->elements() == 1 && (*training)[0] == 0;
}

bool is_no_op(const Graph& graph, const Node& node) {
  if (node.inputs.empty() || node.inputs[0].empty()) return false;
  const Shape *before = shape_of(graph, node.inputs[0]), *after = shape_of(graph, node.outputs[0]);
  if (node.op_type == "Identity") return true;
  if (node.op_type == "Dropout") return drops_nothing(graph, node);
  if (before == nullptr || after == nullptr) return false;
  if (is_one_of(node.op_type, {"Cast", "CastLike"}))
    return dtype_of(graph, node.inputs[0]) == dtype_of(graph, node.outputs[0]);
  if (is_one_of(node.op_type, {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Expand"}))
    return *before == *after;
  if (is_one_of(node.op_type, {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd"}))
    return *before == *after;
  if (node.op_type == "Transpose") return keeps_order(node, before->rank());
  return is_one_of(node.op_type, {"Concat", "Sum", "Mean", "Max", "Min"}) &&
         node.inputs.size() == 1;
}

}  // namespace

Result<size_t> drop_no_ops(Graph& graph) {
  size_t changes = 0;
  const Uses uses(graph);
  Redirections redirections;
  for (Node& node : graph.nodes) {
    redirections.apply(node);
    if (!is_no_op(graph, node)) continue;
    const size_t own = uses.is_output(node.outputs[0]) ? 1 : 0;
    if (uses.readers(node.outputs[0]) == own) continue;  // an output keeps its node
    redirections.add(node.outputs[0], node.inputs[0]);
    ++changes;
  }
  return changes;
}

}  // namespace opkit::passes
