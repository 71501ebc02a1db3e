// Element-wise nodes behind a Transpose or Reshape are computed in front of it: beside the product,
// say, whose op takes them. Constants per channel are turned, too.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/variants/elementwise.h"
#include "opkit/rewrite/variants/elementwise_chain.h"
#include "opkit/rewrite/variants/variants.h"

namespace opkit::variants {

using graph::Graph;
using graph::Node;
using passes::Readers;

ValueNames places_to_hoist_elementwise(const Graph& graph) {
  const Readers readers(graph);
  ValueNames places;
  for (const Node& node : graph.nodes) {
    if (is_elementwise(node) && chain_behind(graph, readers, node.outputs[0]))
      places.push_back(node.outputs[0]);
  }
  return places;
}

bool hoist_elementwise(Graph& graph, const std::string& place) {
  const Readers readers(graph);
  const auto chain = chain_behind(graph, readers, place);
  if (!chain) return false;
  Graph changed = graph;
  std::map<std::string, std::string> early;  // names of the same elements in front of the change
  for (const std::string& variable : variables_of(graph, graph.nodes[chain->nodes[0]]))
    early[variable] = graph.nodes[readers.definition(variable)].inputs[0];
  for (const size_t n : chain->nodes) {
    auto node = moved(changed, graph.nodes[n], chain->change, true, early);
    if (!node) return false;
    const std::string result = node->outputs[0];
    early[result] = node->outputs[0] = passes::fresh_name(changed, result + "/early");
    changed.nodes.push_back(std::move(*node));
  }
  Node change = chain->change.node;
  change.inputs[0] = early.at(place);
  change.outputs[0] = place;
  changed.nodes[chain->nodes.back()] = std::move(change);
  graph = std::move(changed);
  return true;
}

}  // namespace opkit::variants
