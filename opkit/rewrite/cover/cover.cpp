#include "opkit/rewrite/cover/cover.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "opkit/rewrite/cover/components.h"
#include "opkit/rewrite/cover/exact.h"
#include "opkit/rewrite/cover/greedy.h"
#include "opkit/rewrite/cover/groups.h"

namespace opkit::cover {
namespace {

Error nothing(const Component& component) {
  return Error("OPK-COVER-002",
               fmt::format("the candidates for nodes {} to {} take none of their combinations "
                           "exactly once",
                           component.nodes.front(), component.nodes.back()),
               "install ops for the single nodes, or allow host operators");
}

Error too_many(const Component& component, size_t states) {
  return Error("OPK-COVER-003",
               fmt::format("no cover of {} nodes that depend on each other was found within {} "
                           "states",
                           component.nodes.size(), states),
               "allow host operators, so that every node can stand alone");
}

// Returns the cheapest cover without the excluded candidates; its groups may wait for each other.
Result<ChosenCover> relaxed(const CoverProblem& problem, const std::set<size_t>& excluded,
                            const CoverLimits& limits) {
  std::vector<bool> usable(problem.candidates.size(), true);
  for (const size_t c : excluded) usable[c] = false;
  ChosenCover cover;
  for (const Component& component : components_of(problem, usable)) {
    ExactResult exact = cover_exactly(problem, component, limits.states);
    cover.states += exact.states;
    if (exact.complete && !exact.choice) return nothing(component);
    if (!exact.choice) exact.choice = cover_greedily(problem, component);
    if (!exact.choice) return too_many(component, limits.states);
    cover.cost += exact.choice->cost;
    cover.bound += exact.complete ? exact.choice->cost : lower_bound(problem, component);
    cover.chosen.insert(cover.chosen.end(), exact.choice->candidates.begin(),
                        exact.choice->candidates.end());
    ++cover.components;
    cover.largest = std::max(cover.largest, component.nodes.size());
  }
  return cover;
}

// Covers by cost, cheapest first; each with what it was found without.
using Queue = std::multimap<uint64_t, std::pair<std::set<size_t>, ChosenCover>>;

// One child for each larger candidate of the circle: without it.
void branch(const CoverProblem& problem, const std::set<size_t>& excluded,
            const std::vector<size_t>& cycle, const CoverLimits& limits,
            std::set<std::set<size_t>>& seen, Queue& queue) {
  for (const size_t c : cycle) {
    if (problem.candidates[c].nodes.size() == 1) continue;
    std::set<size_t> more = excluded;
    more.insert(c);
    if (!seen.insert(more).second) continue;
    auto child = relaxed(problem, more, limits);
    if (child.ok()) queue.emplace(child->bound, std::pair(std::move(more), *std::move(child)));
  }
}

}  // namespace

std::string ChosenCover::statement() const {
  if (optimal()) return "optimal";
  const double gap = 100.0 * static_cast<double>(cost - bound) / static_cast<double>(cost);
  return fmt::format("within {:.1f} % of the bound", gap);
}

Result<ChosenCover> cover(const CoverProblem& problem, const CoverLimits& limits) {
  OPKIT_CHECK(check(problem));
  OPKIT_TRY(ChosenCover first, relaxed(problem, {}, limits));
  const size_t components = first.components, largest = first.largest;
  Queue queue;
  queue.emplace(first.bound, std::pair(std::set<size_t>(), std::move(first)));
  std::set<std::set<size_t>> seen;
  for (size_t cycles = 0; !queue.empty() && cycles <= limits.exclusions; ++cycles) {
    auto [excluded, best] = std::move(queue.begin()->second);
    queue.erase(queue.begin());
    const std::vector<size_t> cycle = find_cycle(problem, best.chosen);
    if (cycle.empty()) {
      best.chosen = order_groups(problem, best.chosen);
      best.components = components;
      best.largest = largest;
      best.cycles = cycles;
      return best;
    }
    branch(problem, excluded, cycle, limits, seen, queue);
  }
  return Error("OPK-COVER-003",
               fmt::format("no cover whose groups do not wait for each other was found within {} "
                           "exclusions",
                           limits.exclusions),
               "switch off one of the fused ops with a fusion switch file");
}

Result<ChosenCover> cover_lazily(CoverProblem problem,
                                 const std::function<uint64_t(size_t)>& exact_cost,
                                 const CoverLimits& limits) {
  std::vector<bool> exact(problem.candidates.size());
  size_t asked = 0;
  while (true) {
    OPKIT_TRY(ChosenCover best, cover(problem, limits));
    const size_t before = asked;
    for (const size_t c : best.chosen) {
      if (exact[c]) continue;
      exact[c] = true;
      problem.candidates[c].cost = exact_cost(c);
      ++asked;
    }
    if (asked > before) continue;
    best.costs_asked = asked;
    return best;
  }
}

}  // namespace opkit::cover
