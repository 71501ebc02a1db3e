// Products of one value with constant weights become one product with the weights side by side, and
// a Split; what is element-wise and alike behind them is computed in front of the Split. One launch
// in place of several, which reads the value once.
#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/readers.h"
#include "opkit/rewrite/variants/elementwise.h"
#include "opkit/rewrite/variants/parts_of_one.h"
#include "opkit/rewrite/variants/product.h"
#include "opkit/rewrite/variants/tensor_parts.h"
#include "opkit/rewrite/variants/variants.h"

namespace opkit::variants {

using graph::Graph;
using graph::Node;
using graph::RefTensor;
using passes::Readers;

namespace {

bool joins(const Graph& graph, const Product& one, const Product& other) {
  Shape here = one.weights->shape, there = other.weights->shape;
  if (here.rank() != there.rank() || one.weights->dtype != other.weights->dtype) return false;
  here[one.results] = there[other.results] = 1;
  const bool same_type = passes::dtype_of(graph, one.node->outputs[0]) ==
                         passes::dtype_of(graph, other.node->outputs[0]);
  return here == there && same_type && alike(*one.node, *other.node);
}

// Products of the value by their nodes.
std::vector<std::pair<size_t, Product>> products_of(const Graph& graph, const Readers& readers,
                                                    const std::string& value) {
  std::vector<std::pair<size_t, Product>> products;
  for (const size_t n : readers.of(value)) {
    const Node& node = graph.nodes[n];
    if (node.inputs.empty() || node.inputs[0] != value) continue;
    if (const auto product = product_of(graph, node)) products.emplace_back(n, *product);
  }
  return products;
}

// Returns the first products of the value that can be one; none: there is nothing to join.
std::vector<size_t> joinable(const Graph& graph, const Readers& readers, const std::string& value) {
  const auto products = products_of(graph, readers, value);
  for (const auto& [first, product] : products) {
    std::vector<size_t> nodes;
    for (const auto& [n, other] : products) {
      if (joins(graph, product, other)) nodes.push_back(n);
    }
    if (nodes.size() > 1) return nodes;
  }
  return {};
}

// Bias of all results; those of products without one are zero.
RefTensor joined_bias(const std::vector<Product>& products) {
  RefTensor bias{products[0].weights->dtype, Shape{0}, {}};
  for (const Product& one : products) {
    const auto count = static_cast<size_t>(one.weights->shape[one.results]);
    const std::vector<double> zeros(one.bias == nullptr ? count : 0);
    const std::vector<double>& values = one.bias == nullptr ? zeros : one.bias->values;
    if (one.bias != nullptr) bias.dtype = one.bias->dtype;
    bias.values.insert(bias.values.end(), values.begin(), values.end());
    bias.shape[0] += static_cast<int64_t>(count);
  }
  return bias;
}

Node joined_product(Graph& graph, const std::vector<Product>& products, const std::string& stem) {
  Node node = *products[0].node;
  node.name.clear();
  std::vector<const RefTensor*> weights;
  for (const Product& one : products) weights.push_back(one.weights);
  node.inputs.resize(2);
  node.inputs[1] =
      passes::add_constant(graph, stem + "/weights", joined(weights, products[0].results));
  const bool biased = std::any_of(products.begin(), products.end(),
                                  [](const Product& one) { return one.bias != nullptr; });
  if (biased)
    node.inputs.push_back(passes::add_constant(graph, stem + "/bias", joined_bias(products)));
  node.outputs[0] = passes::fresh_name(graph, stem);
  return node;
}

}  // namespace

ValueNames places_to_join_products(const Graph& graph) {
  const Readers readers(graph);
  ValueNames places;
  for (const Node& node : graph.nodes) {
    if (node.inputs.empty() || joinable(graph, readers, node.inputs[0]).size() < 2) continue;
    if (std::find(places.begin(), places.end(), node.inputs[0]) == places.end())
      places.push_back(node.inputs[0]);
  }
  return places;
}

bool join_products(Graph& graph, const std::string& place) {
  const Readers readers(graph);
  const std::vector<size_t> nodes = joinable(graph, readers, place);
  if (nodes.size() < 2) return false;
  Graph changed = graph;
  std::vector<Product> products;
  JoinedValue whole;
  for (const size_t n : nodes) {
    products.push_back(*product_of(graph, graph.nodes[n]));
    whole.parts.push_back(graph.nodes[n].outputs[0]);
  }
  Node node = joined_product(changed, products, place + "/products");
  whole.name = node.outputs[0];
  changed.nodes.push_back(std::move(node));
  PartsOfOne parts(graph, readers, changed, products[0].result_axis);
  parts.add(std::move(whole), nodes);
  parts.lift();
  parts.finish();
  graph = std::move(changed);
  return true;
}

}  // namespace opkit::variants
