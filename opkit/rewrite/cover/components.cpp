#include "opkit/rewrite/cover/components.h"

#include <algorithm>
#include <numeric>

namespace opkit::cover {
namespace {

class Sets {
 public:
  explicit Sets(size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), size_t{0}); }
  size_t find(size_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }
  void join(size_t a, size_t b) {
    a = find(a), b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<size_t> parent_;
};

}  // namespace

std::vector<Component> components_of(const CoverProblem& problem, const std::vector<bool>& usable) {
  Sets sets(problem.nodes);
  for (size_t c = 0; c < problem.candidates.size(); ++c) {
    if (!usable[c]) continue;
    const std::vector<size_t>& nodes = problem.candidates[c].nodes;
    for (const size_t node : nodes) sets.join(nodes.front(), node);
  }
  std::vector<Component> components;
  std::vector<size_t> place(problem.nodes);
  for (size_t node = 0; node < problem.nodes; ++node) {
    const size_t root = sets.find(node);
    if (root == node) {
      place[node] = components.size();
      components.emplace_back();
    }
    components[place[root]].nodes.push_back(node);
  }
  for (size_t c = 0; c < problem.candidates.size(); ++c) {
    if (usable[c])
      components[place[sets.find(problem.candidates[c].nodes.front())]].candidates.push_back(c);
  }
  return components;
}

}  // namespace opkit::cover
