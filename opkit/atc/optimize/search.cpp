#include "opkit/atc/optimize/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "opkit/atc/optimize/places.h"

namespace opkit::optimize {
namespace {

using graph::Graph;

// A graph that was tried: one or two steps on the best one.
struct Trial {
  std::vector<AlikePlaces> steps;
  std::vector<size_t> changed;  // places of each step
  std::vector<Graph> graphs;    // after each step
  std::vector<uint64_t> costs;  // after the last one
  int64_t gain = 0;
};

class Searching {
 public:
  Searching(Graph graph, const CostOf& cost_of, const SearchLimits& limits,
            const std::vector<variants::Variant>& variants)
      : cost_of_(cost_of), limits_(limits), variants_(variants), random_(limits.seed) {
    found_.graph = std::move(graph);
  }

  Result<FoundSteps> run() {
    OPKIT_TRY(found_.plain, cost_of_(found_.graph));
    found_.best = found_.plain;
    for (const variants::Variant& one : variants_)
      found_.tallies.push_back({std::string(one.name), 0, 0, 0, {}});
    OPKIT_CHECK(look());
    for (bool taken = true; taken && has_budget();) {
      OPKIT_TRY(taken, sweep());
      if (taken) continue;
      OPKIT_TRY(taken, try_pairs());
    }
    count();
    return std::move(found_);
  }

 private:
  bool has_budget() const { return found_.tried < limits_.most; }

  // Shuffles in one order on every machine, which std::shuffle does not.
  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random_() % i]);
  }

  // Steps that may be tried, the most promising first; those that were never tried in front.
  std::vector<AlikePlaces> candidates() {
    std::vector<AlikePlaces> all = alike_places(found_.graph, variants_);
    std::erase_if(all, [&](const AlikePlaces& one) { return wrong_.count(one.key) > 0; });
    shuffle(all);
    const auto gain = [&](const AlikePlaces& one) {
      const auto known = gains_.find(one.key);
      return known == gains_.end() ? INT64_MAX : known->second;
    };
    std::stable_sort(all.begin(), all.end(),
                     [&](const AlikePlaces& a, const AlikePlaces& b) { return gain(a) > gain(b); });
    return all;
  }

  // Tries every step by itself, so that the best are taken first.
  Status look() {
    for (const AlikePlaces& step : candidates()) {
      if (!has_budget()) return {};
      OPKIT_TRY([[maybe_unused]] const Trial trial, tried({step}));
    }
    return {};
  }

  // Takes whatever lowers the cost. Returns whether anything did.
  Result<bool> sweep() {
    bool any = false;
    for (const AlikePlaces& step : candidates()) {
      if (!has_budget()) return any;
      if (!any && gains_.count(step.key) > 0 && gains_.at(step.key) <= 0) break;  // all are known
      OPKIT_TRY(Trial trial, tried({step}));
      if (trial.gain <= 0) continue;
      OPKIT_TRY(const bool taken, take(std::move(trial)));
      any = any || taken;
    }
    return any;
  }

  Result<bool> try_pairs() {
    std::vector<AlikePlaces> all = candidates();
    std::vector<std::pair<size_t, size_t>> pairs;
    for (size_t a = 0; a < all.size(); ++a) {
      for (size_t b = 0; b < all.size(); ++b) {
        if (a != b && pairs_.count({all[a].key, all[b].key}) == 0) pairs.emplace_back(a, b);
      }
    }
    shuffle(pairs);
    for (const auto& [a, b] : pairs) {
      if (!has_budget()) return false;
      pairs_.insert({all[a].key, all[b].key});
      OPKIT_TRY(Trial trial, tried({all[a], all[b]}));
      if (trial.gain <= 0) continue;
      OPKIT_TRY(const bool taken, take(std::move(trial)));
      if (taken) return true;
    }
    return false;
  }

  // The gain of a trial that changes nothing is 0, and nothing is asked.
  Result<Trial> tried(std::vector<AlikePlaces> steps) {
    Trial trial{std::move(steps), {}, {}, {}, 0};
    Graph graph = found_.graph;
    for (const AlikePlaces& step : trial.steps) {
      OPKIT_TRY(const size_t changed, variants::apply(graph, *step.variant, step.places));
      trial.changed.push_back(changed);
      trial.graphs.push_back(graph);
    }
    const bool all = std::count(trial.changed.begin(), trial.changed.end(), size_t{0}) == 0;
    if (all) {
      limits_.tried(++found_.tried);
      OPKIT_TRY(const uint64_t cost, cost_of_(graph));
      trial.costs.push_back(cost);
      trial.gain = static_cast<int64_t>(found_.best) - static_cast<int64_t>(cost);
    }
    if (trial.steps.size() == 1) note(trial);
    return trial;
  }

  void note(const Trial& trial) {
    const AlikePlaces& step = trial.steps[0];
    gains_[step.key] = trial.gain;
    if (trial.changed[0] > 0) ++tally_of(step)->tried;
  }

  std::vector<Tally>::iterator tally_of(const AlikePlaces& step) {
    return std::find_if(found_.tallies.begin(), found_.tallies.end(),
                        [&](const Tally& tally) { return tally.variant == step.variant->name; });
  }

  // Returns false, and takes nothing, where a step does not keep what the graph computes.
  Result<bool> take(Trial trial) {
    std::vector<TakenStep> steps;
    const Graph* before = &found_.graph;
    for (size_t s = 0; s < trial.steps.size(); ++s) {
      OPKIT_TRY(const SameOnData same, compared(*before, trial.steps[s]));
      if (!same.holds()) return refuse(trial.steps[s], same);
      steps.push_back({{std::string(trial.steps[s].variant->name), trial.steps[s].places},
                       trial.changed[s],
                       found_.best,
                       found_.best,
                       same});
      before = &trial.graphs[s];
    }
    steps.back().after = trial.costs[0];
    for (size_t s = 0; s < steps.size(); ++s) {
      ++tally_of(trial.steps[s])->taken;
      gains_.erase(trial.steps[s].key);
      found_.taken.push_back(std::move(steps[s]));
    }
    found_.best = trial.costs[0];
    found_.graph = std::move(trial.graphs.back());
    pairs_.clear();
    return true;
  }

  // Alike places are changed alike: one is compared.
  static Result<SameOnData> compared(const Graph& before, const AlikePlaces& step) {
    for (const std::string& place : step.places) {
      Graph after = before;
      OPKIT_TRY(const size_t changed, variants::apply(after, *step.variant, {place}));
      if (changed > 0) return same_on_data(before, after);
    }
    return SameOnData{0, 0, "nothing changed"};
  }

  bool refuse(const AlikePlaces& step, const SameOnData& same) {
    wrong_.insert(step.key);
    Error error("OPK-ATC-016",
                fmt::format("{} at '{}' moves a value by {:.1e} of its largest element, and is "
                            "not taken",
                            step.variant->name, step.places[0], same.worst),
                "report this with the model");
    error.severity = Severity::kWarning;
    found_.warnings.push_back(std::move(error));
    return false;
  }

  void count() {
    for (const AlikePlaces& step : alike_places(found_.graph, variants_)) {
      Tally& tally = *tally_of(step);
      tally.places += step.places.size();
      const auto gain = gains_.find(step.key);
      if (gain == gains_.end()) {
        ++found_.untried;
      } else if (!tally.best_left || *tally.best_left < gain->second) {
        tally.best_left = gain->second;
      }
    }
  }

  const CostOf& cost_of_;
  const SearchLimits limits_;
  const std::vector<variants::Variant>& variants_;
  std::mt19937 random_;
  FoundSteps found_;
  std::map<std::string, int64_t> gains_;  // holds what each was last seen to gain, by key
  std::set<std::string> wrong_;
  std::set<std::pair<std::string, std::string>> pairs_;  // tried on the graph as it is
};

}  // namespace

Result<FoundSteps> search(Graph graph, const CostOf& cost_of, const SearchLimits& limits,
                          const std::vector<variants::Variant>& variants) {
  return Searching(std::move(graph), cost_of, limits, variants).run();
}

}  // namespace opkit::optimize
