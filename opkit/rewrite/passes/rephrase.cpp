#include "opkit/rewrite/passes/rephrase.h"

#include <algorithm>
#include <unordered_map>

#include "opkit/reference/infer.h"
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rephrasings.h"

namespace opkit::passes {
namespace {

using graph::Graph;

// A node that other rephrasings may still be tried on.
struct OpenNode {
  std::string origin;  // the first result of the node that it is a part of
  std::string result;
};

// Orders nodes by their places in the graph, the last first: new nodes come behind them, and one
// that goes moves none of those that are left.
std::vector<std::pair<size_t, OpenNode>> places_of(const Graph& graph,
                                                   std::vector<OpenNode> nodes) {
  std::unordered_map<std::string, OpenNode> by_result;
  for (OpenNode& node : nodes) by_result.emplace(node.result, std::move(node));
  std::vector<std::pair<size_t, OpenNode>> places;
  for (size_t n = graph.nodes.size(); n-- > 0;) {
    const auto found = by_result.find(result_of(graph.nodes[n]));
    if (found != by_result.end()) places.emplace_back(n, found->second);
  }
  return places;
}

// Returns the results of the new nodes; nothing when no words fit.
std::optional<std::vector<std::string>> say_otherwise(Graph& graph, size_t n,
                                                      std::map<std::string, size_t>& changes) {
  for (const Rephrasing& one : rephrasings()) {
    auto parts = one.apply(graph, n);
    if (!parts) continue;
    ++changes[std::string(one.name)];
    return parts;
  }
  return std::nullopt;
}

}  // namespace

const std::vector<Rephrasing>& rephrasings() {
  static const std::vector<Rephrasing> kRephrasings = {
#define OPKIT_REPHRASING(function, purpose) {#function, purpose, function},
#include "opkit/rewrite/passes/rephrasings.def"
#undef OPKIT_REPHRASING
  };
  return kRephrasings;
}

Result<Rephrased> rephrase(Graph& graph, const std::set<std::string>& results) {
  Rephrased done;
  std::vector<OpenNode> open;
  std::map<std::string, std::vector<std::string>> parts;
  std::set<std::string> changed;  // origins
  for (const std::string& result : results) open.push_back({result, result});
  while (!open.empty()) {
    std::vector<OpenNode> next;
    for (const auto& [n, node] : places_of(graph, std::move(open))) {
      const auto others = say_otherwise(graph, n, done.changes);
      if (!others) parts[node.origin].push_back(node.result);
      if (!others) continue;
      changed.insert(node.origin);
      for (const std::string& other : *others) next.push_back({node.origin, other});
    }
    open = std::move(next);
    OPKIT_CHECK(graph::sort_nodes(graph));
    OPKIT_CHECK(reference::infer_new(graph));
  }
  for (const std::string& origin : changed) done.parts[origin] = std::move(parts[origin]);
  if (!changed.empty()) OPKIT_CHECK(reference::infer(graph));
  return done;
}

}  // namespace opkit::passes
