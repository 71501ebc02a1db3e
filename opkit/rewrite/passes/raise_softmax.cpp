// Softmax, LogSoftmax and Hardmax of versions that take everything from an axis on together: a
// Reshape makes two dims of them.
#include <functional>
#include <numeric>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/raisings.h"

namespace opkit::passes {
namespace {

int64_t elements(const Shape& shape, size_t begin, size_t end) {
  const auto first = shape.dims().begin();
  return std::accumulate(first + static_cast<std::ptrdiff_t>(begin),
                         first + static_cast<std::ptrdiff_t>(end), int64_t{1}, std::multiplies<>());
}

}  // namespace

bool is_softmax_ready(const graph::Graph& graph, const graph::Node& node) {
  return shape_of(graph, node.inputs[0]) != nullptr;
}

void raise_softmax(graph::Graph& graph, size_t n) {
  const std::string x = graph.nodes[n].inputs[0], y = graph.nodes[n].outputs[0];
  const Shape shape = *shape_of(graph, x);
  const auto rank = static_cast<int64_t>(shape.rank());
  const auto stated = static_cast<int64_t>(number_of(graph.nodes[n], "axis", 1));
  const auto axis = static_cast<size_t>(stated < 0 ? stated + rank : stated);
  const bool empty = elements(shape, 0, shape.rank()) == 0;
  if (axis + 1 == shape.rank() || empty) {
    graph.nodes[n].attributes["axis"] = static_cast<int64_t>(axis);
    return;
  }
  const std::string done = fresh_name(graph, y + "/done");
  graph.nodes[n].outputs[0] = done;
  define_reshape(graph, done, y, shape.dims());
  graph.nodes[n].inputs[0] = add_reshape(
      graph, x, y + "/flat", {elements(shape, 0, axis), elements(shape, axis, shape.rank())});
  graph.nodes[n].attributes["axis"] = int64_t{1};
}

}  // namespace opkit::passes
