// Transposes so that Softmax and its like see the last axis, and back.
#include <numeric>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rephrasings.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {

Parts rephrase_inner_axis(graph::Graph& graph, size_t n) {
  const graph::Node& node = graph.nodes[n];
  const bool is_one = node.op_type == "Softmax" || node.op_type == "LogSoftmax";
  const Shape* shape = is_one ? shape_of(graph, node.inputs[0]) : nullptr;
  // Before version 13 the axis says where rows begin.
  if (!shape || graph.opset < 13 || node.attributes.count("axis") == 0) return {};
  const auto axis = from_front({static_cast<int64_t>(number_of(node, "axis", 0))}, shape->rank());
  if (!axis || axis->front() + 1 == static_cast<int64_t>(shape->rank())) return {};
  Integers order(shape->rank());  // exchanges two axes, and back
  std::iota(order.begin(), order.end(), int64_t{0});
  std::swap(order[static_cast<size_t>(axis->front())], order.back());
  const std::string x = node.inputs[0], y = node.outputs[0];
  const std::string done = fresh_name(graph, y + "/done");
  graph.nodes[n].attributes["axis"] = static_cast<int64_t>(shape->rank()) - 1;
  graph.nodes[n].outputs[0] = done;
  graph.nodes.push_back({"Transpose", {done}, {y}, {{"perm", order}}});
  const std::string turned = add_node(graph, "Transpose", {x}, y + "/turned", {{"perm", order}});
  graph.nodes[n].inputs[0] = turned;
  return std::vector{turned, done, y};
}

}  // namespace opkit::passes
