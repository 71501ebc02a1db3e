// The GroupNormalization of version 21 and later, whose scale and bias are per channel, as one that
// scales nothing, a Mul and an Add.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/raisings.h"

namespace opkit::passes {
namespace {

using graph::Graph;

std::string filled(Graph& graph, const std::string& stem, DType dtype, int64_t count,
                   double value) {
  return add_constant(
      graph, stem, {dtype, Shape{count}, std::vector<double>(static_cast<size_t>(count), value)});
}

}  // namespace

bool is_group_norm_ready(const Graph& graph, const graph::Node& node) {
  const Shape* x = filled_shape_of(graph, node.inputs[0]);
  return x != nullptr && x->rank() >= 2 && dtype_of(graph, node.inputs[0]) != DType::kUndefined;
}

void lower_group_norm(Graph& graph, size_t n) {
  const graph::Node node = graph.nodes[n];
  const std::string y = node.outputs[0];
  const DType dtype = dtype_of(graph, node.inputs[0]);
  const Shape& x = *shape_of(graph, node.inputs[0]);
  std::vector<int64_t> dims(x.rank() - 1, 1);
  dims[0] = x[1];
  const auto groups = static_cast<int64_t>(number_of(node, "num_groups", 1));
  const std::string plain = fresh_name(graph, y + "/plain");
  graph.nodes[n].outputs[0] = plain;
  graph.nodes[n].inputs[1] = filled(graph, y + "/ones", dtype, groups, 1);
  graph.nodes[n].inputs[2] = filled(graph, y + "/zeros", dtype, groups, 0);
  const std::string scale = add_reshape(graph, node.inputs[1], y + "/scale", dims);
  const std::string bias = add_reshape(graph, node.inputs[2], y + "/bias", dims);
  const std::string scaled = add_node(graph, "Mul", {plain, scale}, y + "/scaled");
  graph.nodes.push_back({"Add", {scaled, bias}, {y}, {}});
}

}  // namespace opkit::passes
