#include "opkit/rewrite/cover/groups.h"

#include <algorithm>
#include <set>

namespace opkit::cover {
namespace {

// Who reads whom, by place in `chosen`.
struct Groups {
  Groups(const CoverProblem& problem, const std::vector<size_t>& chosen)
      : readers(chosen.size()), sources(chosen.size()) {
    std::vector<size_t> group(problem.nodes);
    for (size_t g = 0; g < chosen.size(); ++g) {
      for (const size_t node : problem.candidates[chosen[g]].nodes) group[node] = g;
    }
    for (const auto& [from, to] : problem.edges) {
      if (group[from] == group[to]) continue;
      if (sources[group[to]].insert(group[from]).second) readers[group[from]].push_back(group[to]);
    }
  }
  std::vector<std::vector<size_t>> readers;
  std::vector<std::set<size_t>> sources;
};

struct Order {
  std::vector<size_t> places;   // that could be ordered
  std::vector<size_t> missing;  // sources that each place still waits for
};

Order order(const CoverProblem& problem, const std::vector<size_t>& chosen, const Groups& groups) {
  Order result;
  std::set<std::pair<size_t, size_t>> ready;  // first node, place
  const auto first = [&](size_t g) { return problem.candidates[chosen[g]].nodes.front(); };
  for (size_t g = 0; g < chosen.size(); ++g) {
    result.missing.push_back(groups.sources[g].size());
    if (groups.sources[g].empty()) ready.emplace(first(g), g);
  }
  while (!ready.empty()) {
    const size_t next = ready.begin()->second;
    ready.erase(ready.begin());
    result.places.push_back(next);
    for (const size_t reader : groups.readers[next]) {
      if (--result.missing[reader] == 0) ready.emplace(first(reader), reader);
    }
  }
  return result;
}

}  // namespace

std::vector<size_t> order_groups(const CoverProblem& problem, const std::vector<size_t>& chosen) {
  const Order found = order(problem, chosen, Groups(problem, chosen));
  std::vector<size_t> ordered;
  if (found.places.size() != chosen.size()) return ordered;
  for (const size_t g : found.places) ordered.push_back(chosen[g]);
  return ordered;
}

std::vector<size_t> find_cycle(const CoverProblem& problem, const std::vector<size_t>& chosen) {
  const Groups groups(problem, chosen);
  const Order found = order(problem, chosen, groups);
  const auto waits = std::find_if(found.missing.begin(), found.missing.end(),
                                  [](size_t missing) { return missing > 0; });
  if (waits == found.missing.end()) return {};
  // Whoever waits has a source that waits: walking back ends on a circle.
  std::vector<size_t> walk, place(chosen.size(), chosen.size());
  auto at = static_cast<size_t>(waits - found.missing.begin());
  while (place[at] == chosen.size()) {
    place[at] = walk.size();
    walk.push_back(at);
    for (const size_t source : groups.sources[at]) {
      if (found.missing[source] == 0) continue;
      at = source;
      break;
    }
  }
  std::vector<size_t> cycle;
  for (size_t i = place[at]; i < walk.size(); ++i) cycle.push_back(chosen[walk[i]]);
  return cycle;
}

}  // namespace opkit::cover
