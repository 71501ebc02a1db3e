// A Cast of a Cast to a float type that holds every value of its operand's is one Cast, and none
// where that gives back the first operand as an output.
#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {
namespace {

bool holds_all(DType wide, DType narrow) {
  const bool sixteen = narrow == DType::kFloat16 || narrow == DType::kBFloat16;
  if (wide == DType::kFloat32) return sixteen;
  return wide == DType::kFloat64 && (sixteen || narrow == DType::kFloat32);
}

// Drops a Cast to the type that is there: the node of its operand gives the output in its place.
void give_output(graph::Graph& graph, const std::string& output) {
  const Uses uses(graph);
  const graph::Node* cast = uses.definition(output);
  const std::string from = cast->inputs[0];
  if (dtype_of(graph, from) != dtype_of(graph, output) || uses.is_output(from) ||
      uses.definition(from) == nullptr)
    return;
  graph.nodes.erase(graph.nodes.begin() + (cast - graph.nodes.data()));
  for (graph::Node& node : graph.nodes) {
    std::ranges::replace(node.inputs, from, output);
    std::ranges::replace(node.outputs, from, output);
  }
  graph.values[output] = graph.values.extract(from).mapped();
}

}  // namespace

Result<size_t> join_casts(graph::Graph& graph) {
  size_t changes = 0;
  std::vector<std::string> outputs;  // name the outputs of what was joined
  const Uses uses(graph);
  for (graph::Node& node : graph.nodes) {
    if (node.op_type != "Cast") continue;
    const graph::Node* before = uses.definition(node.inputs[0]);
    if (before == nullptr || before->op_type != "Cast") continue;
    const DType first = dtype_of(graph, before->inputs[0]);
    if (!holds_all(dtype_of(graph, node.inputs[0]), first)) continue;
    node.inputs[0] = before->inputs[0];
    if (uses.is_output(node.outputs[0])) outputs.push_back(node.outputs[0]);
    ++changes;
  }
  for (const std::string& output : outputs) give_output(graph, output);
  return changes;
}

}  // namespace opkit::passes
