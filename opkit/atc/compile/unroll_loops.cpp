#include "opkit/atc/compile/unroll_loops.h"

#include <set>

#include "opkit/graph/bodies.h"
#include "opkit/reference/control.h"
#include "opkit/reference/infer.h"
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/steps.h"
#include "opkit/rewrite/passes/unroll.h"

namespace opkit::compile {
namespace {

using graph::Graph;
using graph::Node;

// Returns the node as a model of its own.
Graph alone(const Graph& graph, const Node& node) {
  Graph own;
  own.name = graph.name;
  own.opset = graph.opset;
  own.nodes = {node};
  for (const std::string& input : node.inputs) {
    if (input.empty() || !own.values.emplace(input, graph.values.at(input)).second) continue;
    if (graph.constant(input) == nullptr) own.inputs.push_back(input);
  }
  for (const std::string& output : node.outputs) {
    if (output.empty()) continue;
    own.outputs.push_back(output);
    own.values[output] = graph.values.at(output);
  }
  return own;
}

// Returns how many iterations a node has that might be written out; 0: it stays.
Result<int64_t> short_trips(const Graph& graph, const Node& node) {
  if (node.op_type != "Loop" && node.op_type != "Scan") return int64_t{0};
  OPKIT_TRY(const auto trips, reference::known_trips(node, reference::known_operands(graph, node),
                                                     reference::infer_outputs));
  if (!trips || *trips < 1 || *trips > static_cast<int64_t>(kMostUnrolled)) return int64_t{0};
  OPKIT_TRY(const Graph body, graph::body_of(node, "body"));
  if (passes::is_quantized(body)) return int64_t{0};
  const size_t nodes = graph::nodes_with_bodies(body) * static_cast<size_t>(*trips);
  return nodes <= kMostUnrolled ? *trips : 0;
}

Result<bool> is_cheaper_unrolled(const Graph& graph, const Node& node, int64_t trips,
                                 uint64_t turnaround, const CostOfGraph& cost_of) {
  const Graph looped = alone(graph, node);
  Graph written = looped;
  OPKIT_TRY(const bool can, passes::unroll(written, 0, trips));
  if (!can) return false;
  OPKIT_TRY(const FrameCost one, cost_of(looped));
  OPKIT_TRY(const FrameCost other, cost_of(written));
  const uint64_t waits = turnaround * static_cast<uint64_t>(trips);
  return other.on_host <= one.on_host && other.nanoseconds < one.nanoseconds + waits;
}

}  // namespace

Result<size_t> unroll_loops(Graph& graph, uint64_t turnaround, const CostOfGraph& cost_of) {
  size_t unrolled = 0;
  std::set<std::string> kept;  // names loops that stay, by their results
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    OPKIT_TRY(const int64_t trips, short_trips(graph, graph.nodes[n]));
    if (trips == 0 || !kept.insert(passes::result_of(graph.nodes[n])).second) continue;
    OPKIT_TRY(const bool cheaper,
              is_cheaper_unrolled(graph, graph.nodes[n], trips, turnaround, cost_of));
    if (!cheaper) continue;
    OPKIT_TRY(const bool done, passes::unroll(graph, n, trips));
    if (!done) continue;
    OPKIT_CHECK(reference::infer(graph));
    ++unrolled;
    n = static_cast<size_t>(-1);  // the nodes have other numbers
  }
  return unrolled;
}

}  // namespace opkit::compile
