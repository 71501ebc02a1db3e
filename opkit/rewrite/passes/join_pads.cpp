// A Pad with zeros of the spatial dims goes into the pads of the Conv that alone reads it.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

// Pads of the axes that the operand names, as pads of every dim.
std::optional<std::vector<int64_t>> along_axes(const Graph& graph, const Node& pad,
                                               const std::vector<int64_t>& stated) {
  const graph::RefTensor* axes = graph.constant(pad.inputs[3]);
  const Shape* shape = shape_of(graph, pad.inputs[0]);
  if (axes == nullptr || shape == nullptr) return std::nullopt;
  const size_t rank = shape->rank(), count = axes->values.size();
  std::vector<int64_t> all(2 * rank);
  for (size_t i = 0; i < count; ++i) {
    const double axis = axes->values[i] + (axes->values[i] < 0 ? static_cast<double>(rank) : 0.0);
    all[static_cast<size_t>(axis)] = stated[i];
    all[static_cast<size_t>(axis) + rank] = stated[count + i];
  }
  return all;
}

// Begin and end of every dim; nothing when they are not constants, or other values are filled in.
std::optional<std::vector<int64_t>> zero_pads(const Graph& graph, const Node& pad) {
  const auto mode = pad.attributes.find("mode");
  if (mode != pad.attributes.end() && std::get<std::string>(mode->second) != "constant")
    return std::nullopt;
  if (pad.inputs.size() > 2 && !pad.inputs[2].empty()) {
    const graph::RefTensor* value = graph.constant(pad.inputs[2]);
    if (value == nullptr || value->elements() != 1 || (*value)[0] != 0) return std::nullopt;
  }
  if (number_of(pad, "value", 0) != 0) return std::nullopt;
  if (pad.inputs.size() > 1) {
    const graph::RefTensor* pads = graph.constant(pad.inputs[1]);
    if (pads == nullptr) return std::nullopt;
    const std::vector<int64_t> stated(pads->values.begin(), pads->values.end());
    return pad.inputs.size() > 3 && !pad.inputs[3].empty() ? along_axes(graph, pad, stated)
                                                           : std::optional(stated);
  }
  const auto stated = pad.attributes.find("pads");
  if (stated == pad.attributes.end()) return std::nullopt;
  return std::get<std::vector<int64_t>>(stated->second);
}

// Returns the spatial pads, when batch and channels are not padded and nothing is cut off.
std::optional<std::vector<int64_t>> spatial_pads(const std::vector<int64_t>& pads) {
  const size_t rank = pads.size() / 2;
  std::vector<int64_t> spatial;
  for (size_t i = 0; i < pads.size(); ++i) {
    if (pads[i] < 0 || (i % rank < 2 && pads[i] != 0)) return std::nullopt;
    if (i % rank >= 2) spatial.push_back(pads[i]);
  }
  return spatial;
}

}  // namespace

Result<size_t> join_pads(Graph& graph) {
  size_t changes = 0;
  const Uses uses(graph);
  for (Node& conv : graph.nodes) {
    if (conv.op_type != "Conv" || uses.readers(conv.inputs[0]) != 1) continue;
    const auto automatic = conv.attributes.find("auto_pad");
    if (automatic != conv.attributes.end() && std::get<std::string>(automatic->second) != "NOTSET")
      continue;
    const Node* pad = uses.definition(conv.inputs[0]);
    if (pad == nullptr || pad->op_type != "Pad") continue;
    const auto pads = zero_pads(graph, *pad);
    auto spatial = pads && pads->size() >= 6 ? spatial_pads(*pads) : std::nullopt;
    if (!spatial) continue;
    const auto own = conv.attributes.find("pads");
    if (own != conv.attributes.end()) {
      const auto& more = std::get<std::vector<int64_t>>(own->second);
      for (size_t i = 0; i < spatial->size(); ++i) (*spatial)[i] += more[i];
    }
    conv.attributes["pads"] = std::move(*spatial);
    conv.inputs[0] = pad->inputs[0];
    ++changes;
  }
  return changes;
}

}  // namespace opkit::passes
