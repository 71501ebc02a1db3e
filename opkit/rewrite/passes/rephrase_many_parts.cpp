// Writes Concat and Split of more parts than the shipped ops have as those of groups of parts.
#include <algorithm>
#include <numeric>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rephrasings.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using Names = std::vector<std::string>;

constexpr size_t kPartsOfGroup = 32;

Parts join_groups(Graph& graph, size_t n) {
  const Node node = graph.nodes[n];
  Names groups;
  for (size_t begin = 0; begin < node.inputs.size(); begin += kPartsOfGroup) {
    const size_t end = std::min(begin + kPartsOfGroup, node.inputs.size());
    const auto at = node.inputs.begin();
    Names parts(at + static_cast<std::ptrdiff_t>(begin), at + static_cast<std::ptrdiff_t>(end));
    groups.push_back(parts.size() == 1 ? parts[0]
                                       : add_node(graph, "Concat", std::move(parts),
                                                  node.outputs[0] + "/group", node.attributes));
  }
  graph.nodes[n].inputs = groups;
  groups.push_back(node.outputs[0]);
  return groups;
}

Parts split_groups(Graph& graph, size_t n) {
  const Node node = graph.nodes[n];
  const auto sizes = integers_of(graph, node, 1, "split", std::nullopt);
  if (!sizes || sizes->size() != node.outputs.size()) return {};
  const std::string stem = result_of(node);
  Names groups, parts;
  Integers of_groups;
  for (size_t begin = 0; begin < sizes->size(); begin += kPartsOfGroup) {
    const size_t end = std::min(begin + kPartsOfGroup, sizes->size());
    const auto from = static_cast<std::ptrdiff_t>(begin), to = static_cast<std::ptrdiff_t>(end);
    const Integers own(sizes->begin() + from, sizes->begin() + to);
    of_groups.push_back(std::accumulate(own.begin(), own.end(), int64_t{0}));
    groups.push_back(fresh_name(graph, stem + "/group"));
    const Names outputs(node.outputs.begin() + from, node.outputs.begin() + to);
    const std::string operand = add_constant(graph, stem + "/sizes", whole_numbers(own));
    graph.nodes.push_back({"Split", {groups.back(), operand}, outputs, node.attributes});
    if (std::any_of(outputs.begin(), outputs.end(), [](const auto& name) { return !name.empty(); }))
      parts.push_back(result_of(graph.nodes.back()));
  }
  const std::string operand = add_constant(graph, stem + "/sizes", whole_numbers(of_groups));
  graph.nodes[n] = {"Split", {node.inputs[0], operand}, groups, node.attributes};
  parts.push_back(groups[0]);
  return parts;
}

}  // namespace

Parts rephrase_many_parts(Graph& graph, size_t n) {
  const Node& node = graph.nodes[n];
  if (node.op_type == "Concat" && node.inputs.size() > kPartsOfGroup) return join_groups(graph, n);
  if (node.op_type == "Split" && node.outputs.size() > kPartsOfGroup) return split_groups(graph, n);
  return {};
}

}  // namespace opkit::passes
