// Element-wise nodes in front of a Transpose or Reshape are computed behind it, beside what reads
// its result.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/variants/elementwise.h"
#include "opkit/rewrite/variants/elementwise_chain.h"
#include "opkit/rewrite/variants/variants.h"

namespace opkit::variants {

using graph::Graph;
using graph::Node;
using passes::Readers;

ValueNames places_to_sink_elementwise(const Graph& graph) {
  const Readers readers(graph);
  ValueNames places;
  for (const Node& node : graph.nodes) {
    if (is_elementwise(node) && chain_in_front(graph, readers, node.outputs[0]))
      places.push_back(node.outputs[0]);
  }
  return places;
}

bool sink_elementwise(Graph& graph, const std::string& place) {
  const Readers readers(graph);
  const auto chain = chain_in_front(graph, readers, place);
  if (!chain) return false;
  Graph changed = graph;
  Node change = chain->change.node;
  const std::string result = change.outputs[0];
  const std::string first = variables_of(graph, graph.nodes[chain->nodes[0]])[0];
  std::map<std::string, std::string> late = {
      {first, passes::fresh_name(changed, place + "/moved")}};
  change.inputs[0] = first;
  change.outputs[0] = late.at(first);
  changed.nodes[readers.definition(result)] = std::move(change);
  for (const size_t n : chain->nodes) {
    auto node = moved(changed, graph.nodes[n], chain->change, false, late);
    if (!node) return false;
    const bool last = n == chain->nodes.back();
    const std::string before = node->outputs[0];
    late[before] = node->outputs[0] = last ? result : passes::fresh_name(changed, before + "/late");
    changed.nodes.push_back(std::move(*node));
  }
  graph = std::move(changed);
  return true;
}

}  // namespace opkit::variants
