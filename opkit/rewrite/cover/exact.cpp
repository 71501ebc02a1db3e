#include "opkit/rewrite/cover/exact.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace opkit::cover {
namespace {

constexpr size_t kNone = ~size_t{0};

// A way to cover all nodes before some node, and perhaps some behind it.
struct Step {
  uint64_t cost = 0;
  size_t candidate = kNone, before = kNone;  // what was taken last; the step before that
};

using Ahead = std::vector<size_t>;  // covered nodes from here on, ascending

class Search {
 public:
  Search(const CoverProblem& problem, const Component& component, size_t most_states)
      : problem_(problem), component_(component), most_states_(most_states) {
    for (const size_t c : component.candidates)
      starting_at_[problem.candidates[c].nodes.front()].push_back(c);
  }

  ExactResult run() {
    ExactResult result;
    steps_.push_back({});
    now_.emplace(Ahead(), 0);
    for (const size_t node : component_.nodes) {
      advance(node);
      result.states += now_.size();
      if (result.states > most_states_) return {std::nullopt, result.states, false};
      if (now_.empty()) return result;
    }
    result.choice = choice_of(now_.begin()->second);
    return result;
  }

 private:
  // Steps from the states in front of `node` to those behind it.
  void advance(size_t node) {
    std::map<Ahead, size_t> next;
    for (const auto& [ahead, step] : now_) {
      if (!ahead.empty() && ahead.front() == node) {
        offer(next, Ahead(ahead.begin() + 1, ahead.end()), steps_[step]);
        continue;
      }
      for (const size_t c : starting_at_[node]) take(next, ahead, step, c);
    }
    now_ = std::move(next);
  }

  void take(std::map<Ahead, size_t>& next, const Ahead& ahead, size_t step, size_t c) {
    const CoverCandidate& candidate = problem_.candidates[c];
    Ahead both;
    std::set_union(ahead.begin(), ahead.end(), candidate.nodes.begin() + 1, candidate.nodes.end(),
                   std::back_inserter(both));
    if (both.size() != ahead.size() + candidate.nodes.size() - 1) return;  // they overlap
    offer(next, std::move(both), {steps_[step].cost + candidate.cost, c, step});
  }

  void offer(std::map<Ahead, size_t>& next, Ahead ahead, const Step& step) {
    const auto [place, fresh] = next.emplace(std::move(ahead), steps_.size());
    if (fresh) {
      steps_.push_back(step);
    } else if (step.cost < steps_[place->second].cost) {
      steps_[place->second] = step;
    }
  }

  Choice choice_of(size_t step) const {
    Choice choice;
    choice.cost = steps_[step].cost;
    for (; step != kNone; step = steps_[step].before) {
      if (steps_[step].candidate != kNone) choice.candidates.push_back(steps_[step].candidate);
    }
    std::sort(choice.candidates.begin(), choice.candidates.end());
    return choice;
  }

  const CoverProblem& problem_;
  const Component& component_;
  size_t most_states_;
  std::map<size_t, std::vector<size_t>> starting_at_;
  std::vector<Step> steps_;
  std::map<Ahead, size_t> now_;
};

}  // namespace

ExactResult cover_exactly(const CoverProblem& problem, const Component& component,
                          size_t most_states) {
  return Search(problem, component, most_states).run();
}

}  // namespace opkit::cover
