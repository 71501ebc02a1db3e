// Writes Max, Min and Sum of other than two operands as those of two, from the left.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rephrasings.h"

namespace opkit::passes {

Parts rephrase_many_operands(graph::Graph& graph, size_t n) {
  const graph::Node node = graph.nodes[n];
  const bool folds = node.op_type == "Max" || node.op_type == "Min" || node.op_type == "Sum";
  if (!folds || node.inputs.size() == 2) return {};
  const std::string op = node.op_type == "Sum" ? "Add" : node.op_type, y = node.outputs[0];
  if (node.inputs.size() == 1) {
    graph.nodes[n] = {"Identity", node.inputs, {y}, {}};
    return std::vector<std::string>();
  }
  std::vector<std::string> parts;
  std::string so_far = node.inputs[0];
  graph.nodes[n] = {op, {so_far, node.inputs[1]}, {fresh_name(graph, y + "/1")}, {}};
  parts.push_back(so_far = graph.nodes[n].outputs[0]);
  for (size_t i = 2; i + 1 < node.inputs.size(); ++i)
    parts.push_back(so_far =
                        add_node(graph, op, {so_far, node.inputs[i]}, y + "/" + std::to_string(i)));
  graph.nodes.push_back({op, {so_far, node.inputs.back()}, {y}, {}});
  parts.push_back(y);
  return parts;
}

}  // namespace opkit::passes
