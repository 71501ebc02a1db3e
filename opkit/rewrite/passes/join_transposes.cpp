// A Transpose of a Transpose is one: axis d of the result is axis first[second[d]] of the operand.
#include <numeric>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {
namespace {

std::vector<int64_t> order_of(const graph::Node& node, size_t rank) {
  std::vector<int64_t> order(rank);
  std::iota(order.rbegin(), order.rend(), 0);
  const auto perm = node.attributes.find("perm");
  if (perm != node.attributes.end()) order = std::get<std::vector<int64_t>>(perm->second);
  for (int64_t& axis : order) axis += axis < 0 ? static_cast<int64_t>(rank) : 0;
  return order;
}

}  // namespace

Result<size_t> join_transposes(graph::Graph& graph) {
  size_t changes = 0;
  const Uses uses(graph);
  for (graph::Node& node : graph.nodes) {
    if (node.op_type != "Transpose") continue;
    const graph::Node* before = uses.definition(node.inputs[0]);
    const Shape* shape = shape_of(graph, node.inputs[0]);
    if (before == nullptr || before->op_type != "Transpose" || shape == nullptr) continue;
    const std::vector<int64_t> first = order_of(*before, shape->rank());
    std::vector<int64_t> joined = order_of(node, shape->rank());
    for (int64_t& axis : joined) axis = first[static_cast<size_t>(axis)];
    node.inputs[0] = before->inputs[0];
    node.attributes["perm"] = std::move(joined);
    ++changes;
  }
  return changes;
}

}  // namespace opkit::passes
