// Takes the summand of a Gemm out of it, unless it is a row: one of [1, n] becomes a row, another
// one is added to the product.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rephrasings.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

Parts added(Graph& graph, size_t n) {
  const Node node = graph.nodes[n];
  const std::string y = node.outputs[0], product = fresh_name(graph, y + "/product");
  const double beta = number_of(node, "beta", 1);
  std::string summand = node.inputs[2];
  std::vector<std::string> parts = {product, y};
  graph.nodes[n].inputs.resize(2);
  graph.nodes[n].outputs[0] = product;
  graph.nodes[n].attributes["beta"] = 1.0;
  if (beta != 1) {
    const std::string factor =
        add_constant(graph, y + "/beta", {dtype_of(graph, summand), Shape{}, {beta}});
    summand = add_node(graph, "Mul", {summand, factor}, y + "/summand");
    parts.push_back(summand);
  }
  graph.nodes.push_back({"Add", {product, summand}, {y}, {}});
  return parts;
}

}  // namespace

Parts rephrase_summands(Graph& graph, size_t n) {
  const Node& node = graph.nodes[n];
  if (node.op_type != "Gemm" || node.inputs.size() < 3 || node.inputs[2].empty()) return {};
  const Shape *c = filled_shape_of(graph, node.inputs[2]),
              *y = filled_shape_of(graph, node.outputs[0]);
  if (!c || !y || (c->rank() == 1 && (*c)[0] == (*y)[1])) return {};
  if (c->rank() != 2 || (*c)[0] != 1 || (*c)[1] != (*y)[1]) return added(graph, n);
  const std::string row = add_reshape(graph, node.inputs[2], node.outputs[0] + "/row", {(*c)[1]});
  graph.nodes[n].inputs[2] = row;
  return std::vector{graph.nodes[n].outputs[0]};
}

}  // namespace opkit::passes
