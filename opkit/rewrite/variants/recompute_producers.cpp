// Gives every reader but the first one a copy of the element-wise node that it reads: an op that
// takes a reader can take the copy, too, where before the value had to be stored for all.
#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/readers.h"
#include "opkit/rewrite/variants/elementwise.h"
#include "opkit/rewrite/variants/variants.h"

namespace opkit::variants {

using graph::Graph;
using graph::Node;
using passes::Readers;

namespace {

// A value with more readers is not cheap to compute for each.
constexpr size_t kMostReaders = 4;

// Returns the readers that get a copy; none where nothing is gained by one.
std::vector<size_t> to_be_copied(const Graph& graph, const Readers& readers, const Node& node) {
  if (!is_elementwise(node) || !keeps_dims(graph, node)) return {};
  std::vector<size_t> copied = readers.of(node.outputs[0]);
  if (copied.size() > kMostReaders) return {};
  if (!readers.is_output(node.outputs[0]) && !copied.empty()) copied.erase(copied.begin());
  return copied;
}

}  // namespace

ValueNames places_to_recompute_producers(const Graph& graph) {
  const Readers readers(graph);
  ValueNames places;
  for (const Node& node : graph.nodes) {
    if (!to_be_copied(graph, readers, node).empty()) places.push_back(node.outputs[0]);
  }
  return places;
}

bool recompute_producers(Graph& graph, const std::string& place) {
  const Readers readers(graph);
  const size_t producer = readers.definition(place);
  if (producer == graph.nodes.size()) return false;
  const std::vector<size_t> copied = to_be_copied(graph, readers, graph.nodes[producer]);
  for (const size_t reader : copied) {
    Node copy = graph.nodes[producer];
    copy.name.clear();
    copy.outputs[0] = passes::fresh_name(graph, place + "/again");
    std::vector<std::string>& inputs = graph.nodes[reader].inputs;
    std::replace(inputs.begin(), inputs.end(), place, copy.outputs[0]);
    graph.nodes.push_back(std::move(copy));
  }
  return !copied.empty();
}

}  // namespace opkit::variants
