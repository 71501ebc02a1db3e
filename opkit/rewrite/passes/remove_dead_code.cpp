// Removes nodes and constants that no output of the graph needs, and names of results that nobody
// reads.
#include <algorithm>
#include <set>

#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {

Result<size_t> remove_dead_code(graph::Graph& graph) {
  std::set<std::string> needed(graph.outputs.begin(), graph.outputs.end());
  const auto is_needed = [&](const std::string& name) { return needed.count(name) > 0; };
  std::vector<graph::Node> kept;
  size_t changes = 0;
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    if (std::none_of(node->outputs.begin(), node->outputs.end(), is_needed)) {
      ++changes;
      continue;
    }
    // The number of a Split's outputs says how many parts there are, branches of an If have as
    // many.
    const bool counted = node->op_type == "Split" || node->op_type == "If";
    while (!counted && !is_needed(node->outputs.back())) {
      node->outputs.pop_back();
      ++changes;
    }
    needed.insert(node->inputs.begin(), node->inputs.end());
    kept.push_back(std::move(*node));
  }
  std::reverse(kept.begin(), kept.end());
  graph.nodes = std::move(kept);
  std::set<std::string> stated(graph.inputs.begin(), graph.inputs.end());
  for (const graph::Node& node : graph.nodes)
    stated.insert(node.outputs.begin(), node.outputs.end());
  for (auto value = graph.values.begin(); value != graph.values.end();) {
    const bool dead_constant = value->second.constant != nullptr && !is_needed(value->first);
    changes += dead_constant;
    const bool gone = value->second.constant == nullptr && stated.count(value->first) == 0;
    value = dead_constant || gone ? graph.values.erase(value) : std::next(value);
  }
  return changes;
}

}  // namespace opkit::passes
