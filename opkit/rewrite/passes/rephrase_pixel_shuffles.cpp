// Writes a DepthToSpace that takes columns before rows (CRD) as a Transpose of the parts of its
// dims.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rephrasings.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {

Parts rephrase_pixel_shuffles(graph::Graph& graph, size_t n) {
  const graph::Node& node = graph.nodes[n];
  if (node.op_type != "DepthToSpace") return {};
  const Shape *x = filled_shape_of(graph, node.inputs[0]),
              *y = filled_shape_of(graph, node.outputs[0]);
  if (!x || !y || text_of(node, "mode") != "CRD") return {};
  const auto block = static_cast<int64_t>(number_of(node, "blocksize", 1));
  const std::string name = node.outputs[0], from = node.inputs[0];
  const std::string parts =
      add_reshape(graph, from, name + "/parts", {(*x)[0], (*y)[1], block, block, (*x)[2], (*x)[3]});
  const std::string turned = fresh_name(graph, name + "/turned");
  graph.nodes[n] = {"Transpose", {parts}, {turned}, {{"perm", Integers{0, 1, 4, 2, 5, 3}}}};
  define_reshape(graph, turned, name, y->dims());
  return std::vector{turned};
}

}  // namespace opkit::passes
