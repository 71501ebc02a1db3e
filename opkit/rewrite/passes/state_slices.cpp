// States starts, ends, axes and steps of every Slice whose bounds are constants: axes in order,
// counted from the front, bounds of positive steps within the dim.
#include <algorithm>
#include <map>
#include <numeric>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

struct Part {
  int64_t start, end, step;
};

int64_t within(int64_t position, int64_t dim) {
  return std::clamp<int64_t>(position < 0 ? position + dim : position, 0, dim);
}

// Returns what a Slice takes of each axis that it names; nothing when that is not known.
std::optional<std::map<int64_t, Part>> parts_of(const Graph& graph, const Node& node,
                                                const Shape& shape) {
  const auto starts = integers_of(graph, node, 1, "starts", std::nullopt);
  const auto ends = integers_of(graph, node, 2, "ends", std::nullopt);
  if (!starts || !ends || starts->empty() || starts->size() != ends->size()) return std::nullopt;
  Integers in_order(starts->size());
  std::iota(in_order.begin(), in_order.end(), 0);
  const auto stated = integers_of(graph, node, 3, "axes", in_order);
  const auto axes = stated ? from_front(*stated, shape.rank()) : std::nullopt;
  const auto steps = integers_of(graph, node, 4, "steps", Integers(starts->size(), 1));
  if (!axes || !steps || axes->size() != starts->size() || steps->size() != starts->size())
    return std::nullopt;
  std::map<int64_t, Part> parts;
  for (size_t i = 0; i < axes->size(); ++i) {
    Part part{(*starts)[i], (*ends)[i], (*steps)[i]};
    if (part.step > 0) {
      const int64_t dim = shape[static_cast<size_t>((*axes)[i])];
      part.start = within(part.start, dim);
      part.end = std::max(part.start, within(part.end, dim));
    }
    parts[(*axes)[i]] = part;
  }
  return parts;
}

size_t state(Graph& graph, Node& node, const std::map<int64_t, Part>& parts) {
  Integers starts, ends, axes, steps;
  for (const auto& [axis, part] : parts) {
    starts.push_back(part.start);
    ends.push_back(part.end);
    axes.push_back(axis);
    steps.push_back(part.step);
  }
  return state_integers(graph, node, 1, "starts", starts) +
         state_integers(graph, node, 2, "ends", ends) +
         state_integers(graph, node, 3, "axes", axes) +
         state_integers(graph, node, 4, "steps", steps) +
         drop_attributes(node, {"starts", "ends", "axes"});
}

}  // namespace

Result<size_t> state_slices(Graph& graph) {
  size_t changes = 0;
  for (Node& node : graph.nodes) {
    if (node.op_type != "Slice" || graph.opset < graph::kDefaultOpset) continue;
    const Shape* shape = shape_of(graph, node.inputs[0]);
    if (!shape) continue;
    if (const auto parts = parts_of(graph, node, *shape)) changes += state(graph, node, *parts);
  }
  return changes;
}

}  // namespace opkit::passes
