// Drops a Relu or the bounds of a Clip in front of a QuantizeLinear that saturates there anyway:
// what lies beyond the bound becomes the same whole number without it.
#include <cmath>
#include <limits>

#include "opkit/reference/tensor.h"
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/readers.h"
#include "opkit/rewrite/passes/rewrites.h"
#include "opkit/rewrite/passes/steps.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

struct Bounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// Returns nothing when the node is no clamp, or one whose bounds are computed.
std::optional<Bounds> bounds_of(const Graph& graph, const Node& node) {
  Bounds bounds;
  if (node.op_type == "Relu") bounds.low = 0;
  if (node.op_type == "Relu") return bounds;
  if (node.op_type != "Clip" || node.attributes.count("min") + node.attributes.count("max") > 0)
    return std::nullopt;
  for (size_t i = 1; i < node.inputs.size(); ++i) {
    if (node.inputs[i].empty()) continue;
    const graph::RefTensor* bound = graph.constant(node.inputs[i]);
    if (bound == nullptr || bound->elements() != 1 || std::isnan((*bound)[0])) return std::nullopt;
    (i == 1 ? bounds.low : bounds.high) = (*bound)[0];
  }
  if (bounds.low > bounds.high) return std::nullopt;
  return bounds;
}

// Returns the whole number of a real one before it saturates, in the scale's type as ONNX defines
// it.
double level(const QuantizedSteps& steps, double value) {
  const double quotient = reference::rounded_to(DType::kFloat32, value / steps.scale[0]);
  return std::nearbyint(quotient) + steps.zero[0];
}

// Bounds that move no result are gone.
Bounds needed(const QuantizedSteps& steps, Bounds bounds) {
  if (level(steps, bounds.low) <= static_cast<double>(reference::lowest_of(steps.dtype)))
    bounds.low = Bounds().low;
  if (level(steps, bounds.high) >= static_cast<double>(reference::highest_of(steps.dtype)))
    bounds.high = Bounds().high;
  return bounds;
}

bool drop(Graph& graph, size_t n, size_t clamp, const QuantizedSteps& steps, const Bounds& bounds) {
  const Bounds left = needed(steps, bounds);
  const Bounds none;
  const std::string from = graph.nodes[clamp].inputs[0];
  if (left.low == none.low && left.high == none.high) {
    graph.nodes[n].inputs[0] = from;
    return true;
  }
  const bool relu = left.low == 0 && left.high == none.high;
  if (!relu || graph.nodes[clamp].op_type == "Relu") return false;
  const std::string made = add_node(graph, "Relu", {from}, graph.nodes[n].inputs[0] + "/relu");
  graph.nodes[n].inputs[0] = made;
  return true;
}

}  // namespace

Result<size_t> drop_clamps(Graph& graph) {
  if (graph.opset < graph::kDefaultOpset) return size_t{0};
  size_t changes = 0;
  const size_t count = graph.nodes.size();
  std::optional<Readers> readers;
  for (size_t n = 0; n < count; ++n) {
    if (graph.nodes[n].op_type != "QuantizeLinear") continue;
    if (!readers) readers.emplace(graph);
    const size_t clamp = readers->definition(graph.nodes[n].inputs[0]);
    const auto steps = steps_of(graph, graph.nodes[n]);
    if (clamp >= count || !steps || !steps->is_one() || !(steps->scale[0] > 0)) continue;
    if (steps->dtype != DType::kInt8 && steps->dtype != DType::kUInt8) continue;
    const auto bounds = bounds_of(graph, graph.nodes[clamp]);
    if (bounds) changes += drop(graph, n, clamp, *steps, *bounds) ? 1 : 0;
  }
  return changes;
}

}  // namespace opkit::passes
