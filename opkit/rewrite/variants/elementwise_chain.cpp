#include "opkit/rewrite/variants/elementwise_chain.h"

#include "opkit/rewrite/variants/elementwise.h"

namespace opkit::variants {

using graph::Graph;
using graph::Node;
using passes::Readers;

namespace {

bool has_one_reader(const Readers& readers, const std::string& value) {
  return !readers.is_output(value) && readers.of(value).size() == 1;
}

// Returns the change that all these values went through.
std::optional<LayoutChange> common_change(const Graph& graph, const Readers& readers,
                                          const std::vector<std::string>& values) {
  std::optional<LayoutChange> common;
  for (const std::string& value : values) {
    const size_t n = readers.definition(value);
    if (n == graph.nodes.size() || !has_one_reader(readers, value)) return std::nullopt;
    auto change = layout_change_of(graph, graph.nodes[n]);
    if (!change || (common && !(*common == *change))) return std::nullopt;
    common = std::move(change);
  }
  return common;
}

bool may_move(const Graph& graph, size_t n) {
  return n < graph.nodes.size() && is_elementwise(graph.nodes[n]) &&
         keeps_dims(graph, graph.nodes[n]);
}

}  // namespace

std::optional<ElementwiseChain> chain_behind(const Graph& graph, const Readers& readers,
                                             const std::string& last) {
  std::vector<size_t> nodes;
  for (size_t n = readers.definition(last); may_move(graph, n);) {
    nodes.insert(nodes.begin(), n);
    const std::vector<std::string> variables = variables_of(graph, graph.nodes[n]);
    if (auto change = common_change(graph, readers, variables))
      return ElementwiseChain{std::move(nodes), std::move(*change)};
    if (variables.size() != 1 || !has_one_reader(readers, variables[0])) return std::nullopt;
    n = readers.definition(variables[0]);
  }
  return std::nullopt;
}

std::optional<ElementwiseChain> chain_in_front(const Graph& graph, const Readers& readers,
                                               const std::string& first) {
  std::vector<size_t> nodes;
  for (size_t n = readers.definition(first); may_move(graph, n);) {
    const Node& node = graph.nodes[n];
    nodes.push_back(n);
    const std::string& result = node.outputs[0];
    if (variables_of(graph, node).size() != 1 || !has_one_reader(readers, result))
      return std::nullopt;
    n = readers.of(result)[0];
    auto change = layout_change_of(graph, graph.nodes[n]);
    if (change && graph.nodes[n].inputs[0] == result)
      return ElementwiseChain{std::move(nodes), std::move(*change)};
  }
  return std::nullopt;
}

}  // namespace opkit::variants
