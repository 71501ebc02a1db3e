// The OneHot of versions without negative indices: those, which version 11 counts from the end, are
// moved behind the depth, where both give a row of off values.
#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/raisings.h"

namespace opkit::passes {

bool is_one_hot_ready(const graph::Graph& graph, const graph::Node& node) {
  const graph::RefTensor* depth = graph.constant(node.inputs[1]);
  return depth != nullptr && depth->elements() == 1 &&
         dtype_of(graph, node.inputs[0]) != DType::kUndefined;
}

void raise_one_hot(graph::Graph& graph, size_t n) {
  const std::string indices = graph.nodes[n].inputs[0], y = graph.nodes[n].outputs[0];
  const auto is_counted = [](double index) { return index >= 0; };
  const graph::RefTensor* known = graph.constant(indices);
  if (known && std::all_of(known->values.begin(), known->values.end(), is_counted)) return;
  DType dtype = dtype_of(graph, indices);
  if (!is_float(dtype) && !is_signed(dtype)) return;
  std::string counted = indices;
  if (!is_float(dtype) && dtype != DType::kInt64) {  // the depth may be beyond a narrow type
    dtype = DType::kInt64;
    counted = add_node(graph, "Cast", {indices}, y + "/indices", {{"to", std::string("int64")}});
  }
  const double depth = (*graph.constant(graph.nodes[n].inputs[1]))[0];
  const std::string zero = add_constant(graph, y + "/zero", {dtype, Shape{}, {0}});
  const std::string far = add_constant(graph, y + "/outside", {dtype, Shape{}, {depth}});
  const std::string negative = add_node(graph, "Less", {counted, zero}, y + "/negative");
  const std::string from_front =
      add_node(graph, "Where", {negative, far, counted}, y + "/from_front");
  graph.nodes[n].inputs[0] = from_front;
}

}  // namespace opkit::passes
