// Raises the operators' version to the one that references have, when every node then means what it
// meant: Softmax and its like before version 13 take everything from an axis on, which a Reshape
// says; a BatchNormalization states no more that it is per channel.
#include <algorithm>
#include <functional>
#include <numeric>

#include "opkit/passes/edit.h"
#include "opkit/passes/rewrites.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

constexpr int kSoftmaxOfOneAxis = 13;

bool is_softmax(const Node& node) {
  return node.op_type == "Softmax" || node.op_type == "LogSoftmax" || node.op_type == "Hardmax";
}

bool can_raise(const Graph& graph, const Node& node) {
  if (graph.opset < 7) return false;
  if (node.op_type == "BatchNormalization") return number_of(node, "spatial", 1) == 1;
  if (node.op_type == "Resize" || node.op_type == "Upsample") return graph.opset >= 11;
  if (node.op_type == "Dropout") return graph.opset >= 10 || node.outputs.size() == 1;
  if (node.op_type == "GroupNormalization") return false;
  const bool softmax = is_softmax(node) && graph.opset < kSoftmaxOfOneAxis;
  return !softmax || shape_of(graph, node.inputs[0]) != nullptr;
}

int64_t elements(const Shape& shape, size_t begin, size_t end) {
  const auto first = shape.dims().begin();
  return std::accumulate(first + static_cast<std::ptrdiff_t>(begin),
                         first + static_cast<std::ptrdiff_t>(end), int64_t{1}, std::multiplies<>());
}

void raise_softmax(Graph& graph, size_t n) {
  const std::string x = graph.nodes[n].inputs[0], y = graph.nodes[n].outputs[0];
  const Shape shape = *shape_of(graph, x);
  const auto stated = static_cast<int64_t>(number_of(graph.nodes[n], "axis", 1));
  const auto axis =
      static_cast<size_t>(stated < 0 ? stated + static_cast<int64_t>(shape.rank()) : stated);
  if (axis + 1 == shape.rank()) {
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

}  // namespace

Result<size_t> raise_version(Graph& graph) {
  if (graph.opset >= graph::kDefaultOpset) return size_t{0};
  const bool all = std::all_of(graph.nodes.begin(), graph.nodes.end(),
                               [&](const Node& node) { return can_raise(graph, node); });
  if (!all) return size_t{0};
  const size_t count = graph.nodes.size();
  for (size_t n = 0; n < count; ++n) {
    if (graph.nodes[n].op_type == "BatchNormalization") graph.nodes[n].attributes.erase("spatial");
    if (is_softmax(graph.nodes[n]) && graph.opset < kSoftmaxOfOneAxis) raise_softmax(graph, n);
  }
  graph.opset = graph::kDefaultOpset;
  OPKIT_CHECK(graph::sort_nodes(graph));
  return size_t{1};
}

}  // namespace opkit::passes
