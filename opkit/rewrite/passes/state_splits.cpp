// States the sizes of a Split's parts as its operand, also of equal ones.
#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

// Returns the sizes of the parts; nothing when a part's shape is not known.
std::optional<Integers> sizes_of(const Graph& graph, const Node& node) {
  const Shape* whole = shape_of(graph, node.inputs[0]);
  if (!whole) return std::nullopt;
  const auto axes = from_front({static_cast<int64_t>(number_of(node, "axis", 0))}, whole->rank());
  if (!axes) return std::nullopt;
  const auto axis = static_cast<size_t>(axes->front());
  Integers sizes;
  for (const std::string& name : node.outputs) {
    const Shape* part = name.empty() ? nullptr : shape_of(graph, name);
    if (!part || part->rank() <= axis) return std::nullopt;
    sizes.push_back((*part)[axis]);
  }
  return sizes;
}

}  // namespace

Result<size_t> state_splits(Graph& graph) {
  size_t changes = 0;
  for (Node& node : graph.nodes) {
    if (node.op_type != "Split" || graph.opset < graph::kDefaultOpset) continue;
    const auto sizes = sizes_of(graph, node);
    if (!sizes) continue;
    changes += state_integers(graph, node, 1, "sizes", *sizes) +
               drop_attributes(node, {"split", "num_outputs"});
  }
  return changes;
}

}  // namespace opkit::passes
