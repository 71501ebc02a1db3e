// Puts the branch of an If in its place, where the condition is known.
#include "opkit/rewrite/passes/add_body.h"
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {

Result<size_t> inline_branches(graph::Graph& graph) {
  size_t changes = 0;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const graph::Node node = graph.nodes[n];
    const graph::RefTensor* condition =
        node.op_type == "If" ? graph.constant(node.inputs[0]) : nullptr;
    if (condition == nullptr || condition->elements() != 1) continue;
    const std::string branch = (*condition)[0] != 0 ? "then_branch" : "else_branch";
    OPKIT_TRY(const auto insertion, Insertion::of(graph, node, branch));
    if (!insertion) continue;
    const std::vector<std::string> outputs = insertion->add(graph, {}, "");
    graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(n--));
    for (size_t o = 0; o < outputs.size(); ++o) {
      if (!node.outputs[o].empty())
        graph.nodes.push_back({"Identity", {outputs[o]}, {node.outputs[o]}, {}});
    }
    ++changes;
  }
  return changes;
}

}  // namespace opkit::passes
