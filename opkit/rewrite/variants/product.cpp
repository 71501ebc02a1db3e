#include "opkit/rewrite/variants/product.h"

#include "opkit/rewrite/passes/edit.h"

namespace opkit::variants {

using graph::Graph;
using graph::Node;

namespace {

bool is_plain(const Node& node) {
  if (node.op_type == "Conv") return passes::number_of(node, "group", 1) == 1;
  if (node.op_type != "Gemm") return node.op_type == "MatMul";
  return passes::number_of(node, "alpha", 1) == 1 && passes::number_of(node, "beta", 1) == 1 &&
         passes::number_of(node, "transA", 0) == 0;
}

}  // namespace

std::optional<Product> product_of(const Graph& graph, const Node& node) {
  if (!is_plain(node)) return std::nullopt;
  const Shape *x = passes::filled_shape_of(graph, node.inputs[0]),
              *y = passes::filled_shape_of(graph, node.outputs[0]);
  Product product{&node, graph.constant(node.inputs[1])};
  if (x == nullptr || y == nullptr || product.weights == nullptr) return std::nullopt;
  if (graph.constant(node.inputs[0]) != nullptr) return std::nullopt;
  const bool conv = node.op_type == "Conv";
  if (node.inputs.size() > 2 && !node.inputs[2].empty()) {
    product.bias = graph.constant(node.inputs[2]);
    if (product.bias == nullptr || product.bias->shape.rank() != 1) return std::nullopt;
  }
  const bool rows = conv || passes::number_of(node, "transB", 0) != 0;
  product.results = rows ? 0 : 1;
  product.terms = rows ? 1 : 0;
  product.channels = conv ? 1 : x->rank() - 1;
  product.result_axis = conv ? 1 : y->rank() - 1;
  const bool fits = conv ? x->rank() > 2 : product.weights->shape.rank() == 2;
  const int64_t results =
      product.weights->shape.rank() > 1 ? product.weights->shape[product.results] : 0;
  if (!fits || (product.bias != nullptr && product.bias->shape[0] != results)) return std::nullopt;
  return product;
}

}  // namespace opkit::variants
