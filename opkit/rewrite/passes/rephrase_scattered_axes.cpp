// Transposes so that the axes of a reduction lie side by side: the last ones. Axes of 1 do not
// count.
#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rephrasings.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {
namespace {

bool side_by_side(const Integers& axes) {
  return axes.empty() || axes.back() - axes.front() + 1 == static_cast<int64_t>(axes.size());
}

Integers without_ones(const Integers& axes, const Shape& shape) {
  Integers left;
  std::copy_if(axes.begin(), axes.end(), std::back_inserter(left),
               [&](int64_t axis) { return shape[static_cast<size_t>(axis)] != 1; });
  return left;
}

// The other axes first.
Integers order_of(const Integers& axes, size_t rank) {
  Integers order;
  for (int64_t axis = 0; axis < static_cast<int64_t>(rank); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) order.push_back(axis);
  }
  order.insert(order.end(), axes.begin(), axes.end());
  return order;
}

// What is dropped has one element along it: y has the dims in their order.
Parts transposed(graph::Graph& graph, size_t n, const Integers& axes, const Shape& x,
                 const Shape& y) {
  const std::string name = graph.nodes[n].outputs[0], from = graph.nodes[n].inputs[0];
  const std::string last = fresh_name(graph, name + "/last");
  const auto rank = static_cast<int64_t>(x.rank());
  Integers ends;
  for (int64_t axis = rank - static_cast<int64_t>(axes.size()); axis < rank; ++axis)
    ends.push_back(axis);
  graph.nodes[n].attributes["axes"] = ends;
  graph.nodes[n].outputs[0] = last;
  define_reshape(graph, last, name, y.dims());
  const std::string turned =
      add_node(graph, "Transpose", {from}, name + "/turned", {{"perm", order_of(axes, x.rank())}});
  graph.nodes[n].inputs[0] = turned;
  return std::vector{turned, last};
}

}  // namespace

Parts rephrase_scattered_axes(graph::Graph& graph, size_t n) {
  const graph::Node& node = graph.nodes[n];
  if (!node.op_type.starts_with("Reduce") || number_of(node, "keepdims", 1) != 1) return {};
  const auto stated = node.attributes.find("axes");
  const Shape *x = filled_shape_of(graph, node.inputs[0]), *y = shape_of(graph, node.outputs[0]);
  if (stated == node.attributes.end() || !x || !y) return {};
  const auto axes = from_front(std::get<Integers>(stated->second), x->rank());
  if (!axes || side_by_side(*axes)) return {};
  const Integers left = without_ones(*axes, *x);
  if (left.empty() || !side_by_side(left)) return transposed(graph, n, *axes, *x, *y);
  graph.nodes[n].attributes["axes"] = left;
  return std::vector{node.outputs[0]};
}

}  // namespace opkit::passes
