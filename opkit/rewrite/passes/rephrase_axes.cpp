// Names the axes of a reduction of everything.
#include <numeric>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rephrasings.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {

Parts rephrase_axes(graph::Graph& graph, size_t n) {
  graph::Node& node = graph.nodes[n];
  if (!node.op_type.starts_with("Reduce") || node.attributes.count("axes") > 0) return {};
  const auto axes = integers_of(graph, node, 1, "axes", Integers());
  const Shape* shape = shape_of(graph, node.inputs[0]);
  if (!axes || !axes->empty() || !shape || shape->rank() == 0 ||
      number_of(node, "noop_with_empty_axes", 0) != 0)
    return {};
  Integers all(shape->rank());
  std::iota(all.begin(), all.end(), int64_t{0});
  node.attributes["axes"] = std::move(all);
  node.inputs.resize(1);
  return std::vector{node.outputs[0]};
}

}  // namespace opkit::passes
