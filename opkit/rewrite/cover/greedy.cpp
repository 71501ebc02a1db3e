#include "opkit/rewrite/cover/greedy.h"

#include <algorithm>
#include <map>

namespace opkit::cover {
namespace {

class Greedy {
 public:
  Greedy(const CoverProblem& problem, const Component& component)
      : problem_(problem), component_(component) {
    for (const size_t c : component.candidates) {
      const CoverCandidate& candidate = problem.candidates[c];
      if (candidate.nodes.size() > 1) {
        larger_.push_back(c);
        continue;
      }
      const auto [place, fresh] = single_.emplace(candidate.nodes[0], c);
      if (!fresh && candidate.cost < cost(place->second)) place->second = c;
    }
  }

  std::optional<Choice> run() {
    if (single_.size() != component_.nodes.size()) return std::nullopt;
    for (const auto& [node, c] : single_) holder_[node] = c;
    std::stable_sort(larger_.begin(), larger_.end(),
                     [this](size_t a, size_t b) { return saving(a) > saving(b); });
    // Each round lowers the cost, so there is an end.
    for (bool better = true; better;) {
      better = false;
      for (const size_t c : larger_) better = exchange(c) || better;
    }
    return choice();
  }

 private:
  uint64_t cost(size_t c) const { return problem_.candidates[c].cost; }
  int64_t saving(size_t c) const {
    int64_t saved = -static_cast<int64_t>(cost(c));
    for (const size_t node : problem_.candidates[c].nodes)
      saved += static_cast<int64_t>(cost(single_.at(node)));
    return saved;
  }

  // Takes `c` in place of what holds its nodes, when that is cheaper.
  bool exchange(size_t c) {
    std::vector<size_t> out;
    for (const size_t node : problem_.candidates[c].nodes) out.push_back(holder_.at(node));
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    uint64_t before = 0, after = cost(c);
    std::vector<size_t> left;  // nodes that then stand alone
    for (const size_t other : out) {
      before += cost(other);
      for (const size_t node : problem_.candidates[other].nodes) {
        const auto& nodes = problem_.candidates[c].nodes;
        if (!std::binary_search(nodes.begin(), nodes.end(), node)) left.push_back(node);
      }
    }
    for (const size_t node : left) after += cost(single_.at(node));
    if (after >= before) return false;
    for (const size_t node : left) holder_[node] = single_.at(node);
    for (const size_t node : problem_.candidates[c].nodes) holder_[node] = c;
    return true;
  }

  Choice choice() const {
    Choice choice;
    for (const auto& [node, c] : holder_) {
      if (problem_.candidates[c].nodes.front() != node) continue;
      choice.candidates.push_back(c);
      choice.cost += cost(c);
    }
    std::sort(choice.candidates.begin(), choice.candidates.end());
    return choice;
  }

  const CoverProblem& problem_;
  const Component& component_;
  std::vector<size_t> larger_;
  std::map<size_t, size_t> single_, holder_;  // hold a candidate for each node
};

}  // namespace

std::optional<Choice> cover_greedily(const CoverProblem& problem, const Component& component) {
  return Greedy(problem, component).run();
}

uint64_t lower_bound(const CoverProblem& problem, const Component& component) {
  std::map<size_t, double> share;
  for (const size_t c : component.candidates) {
    const CoverCandidate& candidate = problem.candidates[c];
    const double part =
        static_cast<double>(candidate.cost) / static_cast<double>(candidate.nodes.size());
    for (const size_t node : candidate.nodes) {
      const auto [place, fresh] = share.emplace(node, part);
      if (!fresh) place->second = std::min(place->second, part);
    }
  }
  double sum = 0;
  for (const auto& [node, part] : share) sum += part;
  return static_cast<uint64_t>(sum * (1 - 1e-9));
}

}  // namespace opkit::cover
