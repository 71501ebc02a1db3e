#include "opkit/rewrite/cover/problem.h"

#include <fmt/format.h>

#include <algorithm>

namespace opkit::cover {
namespace {

Error wrong(std::string what) {
  return Error("OPK-COVER-001", std::move(what), "report this with the model");
}

bool is_ascending(const std::vector<size_t>& nodes) {
  return std::adjacent_find(nodes.begin(), nodes.end(), std::greater_equal<>()) == nodes.end();
}

}  // namespace

Status check(const CoverProblem& problem) {
  std::vector<bool> taken(problem.nodes);
  for (const CoverCandidate& candidate : problem.candidates) {
    if (candidate.nodes.empty() || !is_ascending(candidate.nodes) ||
        candidate.nodes.back() >= problem.nodes)
      return wrong("a candidate's nodes are not ascending nodes of the graph");
    for (const size_t node : candidate.nodes) taken[node] = true;
  }
  for (const auto& [from, to] : problem.edges) {
    if (from >= to || to >= problem.nodes) return wrong("an edge leads to no later node");
  }
  const auto gap = std::find(taken.begin(), taken.end(), false);
  if (gap == taken.end()) return {};
  return Error("OPK-COVER-002", fmt::format("no candidate takes node {}", gap - taken.begin()),
               "install an op for it, or allow host operators");
}

}  // namespace opkit::cover
