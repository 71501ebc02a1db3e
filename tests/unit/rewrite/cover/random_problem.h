// Problems of covering by chance.
#ifndef OPKIT_TESTS_UNIT_REWRITE_COVER_RANDOM_PROBLEM_H_
#define OPKIT_TESTS_UNIT_REWRITE_COVER_RANDOM_PROBLEM_H_

#include <random>
#include <set>
#include <vector>

#include "opkit/rewrite/cover/convex.h"
#include "opkit/rewrite/cover/problem.h"

namespace opkit::cover {

// Every node reads one or two earlier ones; besides single nodes, where they are asked for, at most
// `more` convex candidates of up to four nodes.
inline CoverProblem random_problem(std::mt19937& random, size_t nodes, size_t more, bool singles) {
  CoverProblem problem;
  problem.nodes = nodes;
  const auto pick = [&](size_t n) { return static_cast<size_t>(random() % n); };
  for (size_t to = 1; to < nodes; ++to) {
    for (size_t i = 0; i < 1 + pick(2); ++i) problem.edges.emplace_back(pick(to), to);
  }
  for (size_t node = 0; node < nodes && singles; ++node)
    problem.candidates.push_back({{node}, 1 + pick(20)});
  const Convexity convexity(nodes, problem.edges);
  for (size_t i = 0; i < more; ++i) {
    std::set<size_t> set;
    for (size_t k = 0; k < 1 + pick(4); ++k) set.insert(pick(nodes));
    std::vector<size_t> list(set.begin(), set.end());
    if (convexity.is_convex(list)) problem.candidates.push_back({list, 1 + pick(40)});
  }
  return problem;
}

}  // namespace opkit::cover

#endif  // OPKIT_TESTS_UNIT_REWRITE_COVER_RANDOM_PROBLEM_H_
