// Reduces without dropping dims, which a Reshape drops.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rephrasings.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {

Parts rephrase_dropped_dims(graph::Graph& graph, size_t n) {
  const graph::Node& node = graph.nodes[n];
  if (!node.op_type.starts_with("Reduce") || number_of(node, "keepdims", 1) != 0) return {};
  const std::string y = node.outputs[0];
  const Shape* shape = filled_shape_of(graph, y);
  if (!shape) return {};
  const std::string kept = fresh_name(graph, y + "/kept");
  graph.nodes[n].attributes["keepdims"] = int64_t{1};
  graph.nodes[n].outputs[0] = kept;
  define_reshape(graph, kept, y, shape->dims());
  return std::vector{kept};
}

}  // namespace opkit::passes
