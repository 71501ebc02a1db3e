// A product of a Concat becomes the sum of the products of its parts, each with its part of the
// weights: nothing is joined in memory, and the ops that add what a product gives take the sum.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/readers.h"
#include "opkit/rewrite/variants/product.h"
#include "opkit/rewrite/variants/tensor_parts.h"
#include "opkit/rewrite/variants/variants.h"

namespace opkit::variants {

using graph::Graph;
using graph::Node;
using passes::Readers;

namespace {

constexpr size_t kMostParts = 4;

// Returns the Concat that the node multiplies and nobody else reads; the number of nodes: there is
// none.
size_t concat_of(const Graph& graph, const Readers& readers, const Node& node) {
  const size_t none = graph.nodes.size();
  const auto product = product_of(graph, node);
  if (!product || !is_float(product->weights->dtype)) return none;
  const std::string& x = node.inputs[0];
  const size_t n = readers.definition(x);
  if (n == none || graph.nodes[n].op_type != "Concat") return none;
  const Node& concat = graph.nodes[n];
  const auto rank = static_cast<double>(passes::shape_of(graph, x)->rank());
  const double axis = passes::number_of(concat, "axis", 0);
  const bool along = (axis < 0 ? axis + rank : axis) == static_cast<double>(product->channels);
  const bool few = concat.inputs.size() > 1 && concat.inputs.size() <= kMostParts;
  if (!along || !few || readers.is_output(x) || readers.of(x).size() != 1) return none;
  for (const std::string& part : concat.inputs) {
    if (graph.constant(part) || passes::filled_shape_of(graph, part) == nullptr) return none;
  }
  return n;
}

}  // namespace

ValueNames places_to_split_products(const Graph& graph) {
  const Readers readers(graph);
  ValueNames places;
  for (const Node& node : graph.nodes) {
    if (concat_of(graph, readers, node) < graph.nodes.size()) places.push_back(node.outputs[0]);
  }
  return places;
}

bool split_products(Graph& graph, const std::string& place) {
  const Readers readers(graph);
  const size_t n = readers.definition(place);
  if (n == graph.nodes.size()) return false;
  const size_t concat = concat_of(graph, readers, graph.nodes[n]);
  if (concat == graph.nodes.size()) return false;
  const Node node = graph.nodes[n];
  const Product product = *product_of(graph, graph.nodes[n]);
  const std::vector<std::string> parts = graph.nodes[concat].inputs;
  std::vector<graph::RefTensor> weights;
  int64_t begin = 0;
  for (const std::string& part : parts) {
    const int64_t count = (*passes::shape_of(graph, part))[product.channels];
    weights.push_back(cut(*product.weights, product.terms, begin, count));
    begin += count;
  }
  std::string sum;
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    Node one = node;
    one.inputs[0] = parts[i];
    one.inputs[1] = passes::add_constant(graph, place + "/weights", std::move(weights[i]));
    if (!last) {
      one.name.clear();
      one.inputs.resize(2);
    }
    one.outputs[0] = passes::fresh_name(graph, place + "/part");
    const std::string result = one.outputs[0];
    graph.nodes.push_back(std::move(one));
    if (!sum.empty() && !last) {
      sum = passes::add_node(graph, "Add", {result, sum}, place + "/sum");
    } else if (!sum.empty()) {
      graph.nodes[n] = {"Add", {result, sum}, {place}, {}};
    } else {
      sum = result;
    }
  }
  return true;
}

}  // namespace opkit::variants
