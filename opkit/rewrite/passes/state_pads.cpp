// States the pads of a Pad for every dim, and the value that a constant one fills in.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

// Returns the pads of all dims, begins before ends; nothing when they are not known.
std::optional<Integers> pads_of(const Graph& graph, const Node& node, int64_t rank) {
  const auto stated = integers_of(graph, node, 1, "pads", std::nullopt);
  Integers every;
  for (int64_t axis = 0; axis < rank; ++axis) every.push_back(axis);
  const auto named = integers_of(graph, node, 3, "axes", every);
  const auto axes = named ? from_front(*named, static_cast<size_t>(rank)) : std::nullopt;
  if (!stated || !axes || stated->size() != 2 * axes->size()) return std::nullopt;
  Integers pads(static_cast<size_t>(2 * rank));
  for (size_t i = 0; i < axes->size(); ++i) {
    const int64_t axis = (*axes)[i];
    pads[static_cast<size_t>(axis)] = (*stated)[i];
    pads[static_cast<size_t>(axis + rank)] = (*stated)[axes->size() + i];
  }
  return pads;
}

bool has_value(const Node& node) { return node.inputs.size() > 2 && !node.inputs[2].empty(); }

bool fills(const Node& node) {
  const auto mode = node.attributes.find("mode");
  return mode == node.attributes.end() || std::get<std::string>(mode->second) == "constant";
}

// The attribute of older versions has its default beside the operand.
size_t reset_value(Node& node) {
  const auto stated = node.attributes.find("value");
  if (stated == node.attributes.end() || number_of(node, "value", 0) == 0) return 0;
  stated->second = 0.0;
  return 1;
}

size_t state_value(Graph& graph, Node& node) {
  if (!fills(node)) {
    const size_t before = node.inputs.size();
    node.inputs.resize(2);
    return (before > 2 ? 1 : 0) + reset_value(node);
  }
  const graph::RefTensor* known = has_value(node) ? graph.constant(node.inputs[2]) : nullptr;
  if (has_value(node) && (!known || known->elements() != 1)) return 0;
  if (known && known->shape.rank() == 0) return 0;
  const double value = known ? known->values[0] : number_of(node, "value", 0);
  graph::RefTensor scalar{dtype_of(graph, node.inputs[0]), Shape{}, {value}};
  if (node.inputs.size() < 3) node.inputs.resize(3);
  node.inputs[2] = add_constant(graph, node.outputs[0] + "/value", std::move(scalar));
  return 1 + reset_value(node);
}

}  // namespace

Result<size_t> state_pads(Graph& graph) {
  size_t changes = 0;
  for (Node& node : graph.nodes) {
    if (node.op_type != "Pad" || graph.opset < graph::kDefaultOpset) continue;
    const Shape* shape = shape_of(graph, node.inputs[0]);
    const auto pads =
        shape ? pads_of(graph, node, static_cast<int64_t>(shape->rank())) : std::nullopt;
    if (!pads) continue;
    changes += state_integers(graph, node, 1, "pads", *pads) + drop_attributes(node, {"pads"});
    changes += state_value(graph, node);
    if (node.inputs.size() > 3) node.inputs.resize(3), ++changes;
  }
  return changes;
}

}  // namespace opkit::passes
