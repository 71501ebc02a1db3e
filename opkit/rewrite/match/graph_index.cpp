#include "opkit/rewrite/match/graph_index.h"

namespace opkit::match {
namespace {

const std::vector<size_t> kNobody;

const std::vector<size_t>& listed(const std::unordered_map<std::string, std::vector<size_t>>& all,
                                  const std::string& name) {
  const auto found = all.find(name);
  return found == all.end() ? kNobody : found->second;
}

}  // namespace

GraphIndex::GraphIndex(const graph::Graph& graph)
    : graph_(graph),
      inputs_(graph.inputs.begin(), graph.inputs.end()),
      outputs_(graph.outputs.begin(), graph.outputs.end()) {
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    by_operator_[graph.nodes[n].op_type].push_back(n);
    for (const std::string& output : graph.nodes[n].outputs) {
      if (!output.empty()) definition_[output] = n;
    }
    for (const std::string& input : graph.nodes[n].inputs) {
      std::vector<size_t>& readers = readers_[input];
      if (!input.empty() && (readers.empty() || readers.back() != n)) readers.push_back(n);
    }
  }
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    for (const std::string& output : graph.nodes[n].outputs) {
      for (const size_t reader : readers(output)) edges_.emplace_back(n, reader);
    }
  }
  convexity_.emplace(graph.nodes.size(), edges_);
}

const std::vector<size_t>& GraphIndex::readers(const std::string& value) const {
  return value.empty() ? kNobody : listed(readers_, value);
}

size_t GraphIndex::definition(const std::string& value) const {
  const auto found = definition_.find(value);
  return found == definition_.end() ? graph_.nodes.size() : found->second;
}

const std::vector<size_t>& GraphIndex::nodes_of(const std::string& op_type) const {
  return listed(by_operator_, op_type);
}

}  // namespace opkit::match
