// A Cast and a node that only moves elements change places, whichever stands first: fewer bytes are
// moved, or the Cast comes to stand beside an op that takes it. Exact: rounding an element and
// moving it are independent.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/readers.h"
#include "opkit/rewrite/variants/elementwise.h"
#include "opkit/rewrite/variants/variants.h"

namespace opkit::variants {

using graph::Graph;
using graph::Node;
using passes::Readers;

namespace {

// Rounding to a float type keeps the order of numbers and 0 as it is.
bool commutes_with_casts(const Graph& graph, const Node& cast, const Node& node) {
  if (moves_elements(node)) return true;
  if (node.op_type != "Relu") return false;
  return is_float(passes::dtype_of(graph, cast.inputs[0])) &&
         is_float(passes::dtype_of(graph, cast.outputs[0]));
}

// Returns the node before `second`, of which one is the Cast that changes places with the other;
// the number of nodes: there is none.
size_t partner_of(const Graph& graph, const Readers& readers, size_t second) {
  const size_t none = graph.nodes.size();
  const Node& node = graph.nodes[second];
  if (node.inputs.empty() || node.outputs.size() != 1) return none;
  const std::string& between = node.inputs[0];
  const size_t first = readers.definition(between);
  if (first == none || readers.is_output(between) || readers.of(between).size() != 1) return none;
  const Node& before = graph.nodes[first];
  const bool fits = (node.op_type == "Cast" && before.op_type != "Cast" &&
                     commutes_with_casts(graph, node, before)) ||
                    (before.op_type == "Cast" && node.op_type != "Cast" &&
                     commutes_with_casts(graph, before, node));
  return fits ? first : none;
}

}  // namespace

ValueNames places_to_move_casts(const Graph& graph) {
  const Readers readers(graph);
  ValueNames places;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    if (partner_of(graph, readers, n) < graph.nodes.size())
      places.push_back(graph.nodes[n].outputs[0]);
  }
  return places;
}

bool move_casts(Graph& graph, const std::string& place) {
  const Readers readers(graph);
  const size_t second = readers.definition(place);
  if (second == graph.nodes.size()) return false;
  const size_t first = partner_of(graph, readers, second);
  if (first == graph.nodes.size()) return false;
  // Operands behind the first one belong to the node that moves, wherever it stands.
  graph.values.erase(graph.nodes[second].inputs[0]);
  const std::string between = passes::fresh_name(graph, place + "/before");
  Node &before = graph.nodes[first], &after = graph.nodes[second];
  after.inputs[0] = before.inputs[0];
  before.inputs[0] = between;
  after.outputs[0] = between;
  before.outputs[0] = place;
  std::swap(before, after);
  return true;
}

}  // namespace opkit::variants
