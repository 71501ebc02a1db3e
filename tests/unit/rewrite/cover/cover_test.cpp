// Covers against the plainest truth there is: trying every combination.
#include "opkit/rewrite/cover/cover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>

#include "opkit/rewrite/cover/convex.h"
#include "opkit/rewrite/cover/groups.h"
#include "tests/unit/rewrite/cover/random_problem.h"

namespace opkit::cover {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// --- the second truth: every exact cover, recursively, and only those that can be run -----------

bool can_run(const CoverProblem& problem, const std::vector<size_t>& chosen) {
  std::vector<bool> done(problem.nodes), placed(chosen.size());
  for (size_t round = 0; round < chosen.size(); ++round) {
    bool progress = false;
    for (size_t g = 0; g < chosen.size(); ++g) {
      const auto& nodes = problem.candidates[chosen[g]].nodes;
      const auto own = [&](size_t n) { return std::count(nodes.begin(), nodes.end(), n) > 0; };
      const bool waits = std::any_of(
          problem.edges.begin(), problem.edges.end(),
          [&](const auto& e) { return own(e.second) && !own(e.first) && !done[e.first]; });
      if (placed[g] || waits) continue;
      for (const size_t n : nodes) done[n] = true;
      placed[g] = progress = true;
    }
    if (!progress) break;
  }
  return std::all_of(placed.begin(), placed.end(), [](bool p) { return p; });
}

void try_all(const CoverProblem& problem, std::vector<bool>& taken, std::vector<size_t>& chosen,
             uint64_t cost, std::optional<uint64_t>& best) {
  const auto open = std::find(taken.begin(), taken.end(), false);
  if (open == taken.end()) {
    if ((!best || cost < *best) && can_run(problem, chosen)) best = cost;
    return;
  }
  const auto node = static_cast<size_t>(open - taken.begin());
  for (size_t c = 0; c < problem.candidates.size(); ++c) {
    const auto& nodes = problem.candidates[c].nodes;
    if (std::count(nodes.begin(), nodes.end(), node) == 0) continue;
    if (std::any_of(nodes.begin(), nodes.end(), [&](size_t n) { return taken[n]; })) continue;
    for (const size_t n : nodes) taken[n] = true;
    chosen.push_back(c);
    try_all(problem, taken, chosen, cost + problem.candidates[c].cost, best);
    chosen.pop_back();
    for (const size_t n : nodes) taken[n] = false;
  }
}

std::optional<uint64_t> truth(const CoverProblem& problem) {
  std::optional<uint64_t> best;
  std::vector<bool> taken(problem.nodes);
  std::vector<size_t> chosen;
  try_all(problem, taken, chosen, 0, best);
  return best;
}

void expect_whole(const CoverProblem& problem, const ChosenCover& cover) {
  std::vector<int> times(problem.nodes);
  uint64_t cost = 0;
  for (const size_t c : cover.chosen) {
    cost += problem.candidates[c].cost;
    for (const size_t node : problem.candidates[c].nodes) ++times[node];
  }
  EXPECT_THAT(times, ::testing::Each(1));
  EXPECT_EQ(cost, cover.cost);
  std::set<size_t> done;  // grows in the given order, in which everything read is there
  for (const size_t c : cover.chosen) {
    const auto& nodes = problem.candidates[c].nodes;
    for (const auto& [from, to] : problem.edges) {
      if (std::count(nodes.begin(), nodes.end(), to) == 0) continue;
      EXPECT_TRUE(done.count(from) > 0 || std::count(nodes.begin(), nodes.end(), from) > 0);
    }
    done.insert(nodes.begin(), nodes.end());
  }
}

TEST(ChosenCover, IsTheCheapestOfAllCombinations) {
  std::mt19937 random(7);
  size_t circles = 0;
  for (int i = 0; i < 1500; ++i) {
    const CoverProblem problem = random_problem(random, 2 + random() % 7, random() % 14, true);
    const auto found = cover(problem);
    ASSERT_TRUE(found.ok()) << found.error().to_string();
    expect_whole(problem, *found);
    EXPECT_EQ(found->cost, truth(problem));
    EXPECT_TRUE(found->optimal());
    EXPECT_EQ(found->statement(), "optimal");
    circles += found->cycles;
  }
  EXPECT_GT(circles, 0u) << "no problem had groups that wait for each other";
}

TEST(ChosenCover, FindsOneWithoutSingleNodesWhereThereIsOne) {
  std::mt19937 random(8);
  size_t none = 0, some = 0;
  for (int i = 0; i < 1500; ++i) {
    const CoverProblem problem = random_problem(random, 2 + random() % 4, 4 + random() % 12, false);
    const auto expected = truth(problem);
    const auto found = cover(problem);
    EXPECT_EQ(found.ok(), expected.has_value());
    if (found.ok()) {
      EXPECT_EQ(found->cost, expected);
    } else {
      EXPECT_THAT(found.error().code, ::testing::AnyOf("OPK-COVER-002", "OPK-COVER-003"));
    }
    ++(found.ok() ? some : none);
  }
  EXPECT_GT(none, 50u);
  EXPECT_GT(some, 50u);
}

// A chain in which every two neighbours can be joined is one component of any length.
CoverProblem chain(size_t nodes) {
  CoverProblem problem;
  problem.nodes = nodes;
  for (size_t n = 0; n < nodes; ++n) {
    problem.candidates.push_back({{n}, 10});
    if (n > 0) problem.edges.emplace_back(n - 1, n);
    if (n > 0) problem.candidates.push_back({{n - 1, n}, 11 + n % 3});
  }
  return problem;
}

TEST(ChosenCover, LongChainsAreExact) {
  const auto found = cover(chain(5000));
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found->optimal());
  EXPECT_EQ(found->components, 1u);
  EXPECT_EQ(found->largest, 5000u);
  EXPECT_LT(found->states, 20000u);
  EXPECT_EQ(cover(chain(9))->cost, truth(chain(9)));
}

TEST(ChosenCover, SaysTheGapWhenTheLimitIsReached) {
  std::mt19937 random(9);
  CoverLimits limits;
  limits.states = 3;
  size_t gaps = 0;
  for (int i = 0; i < 300; ++i) {
    const CoverProblem problem = random_problem(random, 8, 16, true);
    const auto found = cover(problem, limits);
    ASSERT_TRUE(found.ok());
    expect_whole(problem, *found);
    const uint64_t best = *truth(problem);
    EXPECT_LE(found->bound, best);
    EXPECT_GE(found->cost, best);
    if (found->optimal()) {
      EXPECT_EQ(found->cost, best);
    } else {
      EXPECT_THAT(found->statement(), HasSubstr("% of the bound"));
    }
    gaps += !found->optimal();
  }
  EXPECT_GT(gaps, 0u);
}

TEST(ChosenCover, GivesUpInWords) {
  CoverProblem problem = chain(3);
  problem.candidates.erase(problem.candidates.begin());  // {0}
  CoverLimits limits;
  limits.states = 0;
  const auto limited = cover(problem, limits);
  ASSERT_FALSE(limited.ok());
  EXPECT_THAT(limited.error().to_string(), HasSubstr("OPK-COVER-003"));
  const auto open = cover({2, {}, {{{0}, 1}}});
  ASSERT_FALSE(open.ok());
  EXPECT_THAT(open.error().to_string(), HasSubstr("OPK-COVER-002: no candidate takes node 1"));
  const auto overlap = cover({3, {}, {{{0, 1}, 1}, {{1, 2}, 1}}});
  ASSERT_FALSE(overlap.ok());
  EXPECT_THAT(overlap.error().to_string(), HasSubstr("OPK-COVER-002: the candidates for nodes 0"));
  for (const CoverProblem& wrong :
       {CoverProblem{2, {}, {{{1, 0}, 1}}}, CoverProblem{1, {}, {{{0, 1}, 1}}},
        CoverProblem{1, {}, {{{}, 1}}}, CoverProblem{2, {{1, 0}}, {{{0}, 1}, {{1}, 1}}},
        CoverProblem{1, {{0, 1}}, {{{0}, 1}}}}) {
    const auto refused = cover(wrong);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, "OPK-COVER-001");
  }
}

// Nodes a0 -> b1, a1 -> b0, where {a0, b0} and {a1, b1} would wait for each other.
TEST(ChosenCover, BreaksCirclesOfGroups) {
  const CoverProblem problem = {
      4, {{0, 3}, {1, 2}}, {{{0}, 10}, {{1}, 10}, {{2}, 10}, {{3}, 10}, {{0, 2}, 1}, {{1, 3}, 2}}};
  EXPECT_THAT(find_cycle(problem, {4, 5}), ::testing::UnorderedElementsAre(4, 5));
  EXPECT_THAT(order_groups(problem, {4, 5}), ::testing::IsEmpty());
  const auto found = cover(problem);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->cost, 21u);
  EXPECT_EQ(found->cycles, 1u);
  EXPECT_THAT(found->chosen, ElementsAre(1, 4, 3));
}

TEST(ChosenCover, ExactCostsAreAskedForWhatMattersOnly) {
  std::mt19937 random(10);
  size_t asked = 0, all = 0;
  for (int i = 0; i < 800; ++i) {
    const CoverProblem exact = random_problem(random, 2 + random() % 7, random() % 14, true);
    CoverProblem bounds = exact;
    for (CoverCandidate& candidate : bounds.candidates) candidate.cost -= random() % candidate.cost;
    std::set<size_t> once;
    const auto found = cover_lazily(bounds, [&](size_t c) {
      EXPECT_TRUE(once.insert(c).second);
      return exact.candidates[c].cost;
    });
    ASSERT_TRUE(found.ok());
    expect_whole(exact, *found);
    EXPECT_EQ(found->cost, truth(exact));
    EXPECT_EQ(found->costs_asked, once.size());
    asked += once.size(), all += exact.candidates.size();
  }
  EXPECT_LT(asked, all);
}

TEST(Convexity, FindsWhatLiesBetween) {
  // 0 -> 1 -> 3, 0 -> 2 -> 3, 3 -> 4
  const Convexity convexity(5, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}});
  EXPECT_THAT(convexity.between({0, 3}), ::testing::AnyOf(1u, 2u));
  EXPECT_EQ(convexity.between({0, 1, 3}), 2u);
  EXPECT_LT(convexity.between({0, 4}), 4u);
  EXPECT_TRUE(convexity.is_convex({0, 1, 2, 3}));
  EXPECT_TRUE(convexity.is_convex({1, 2}));
  EXPECT_TRUE(convexity.is_convex({3}));
  EXPECT_FALSE(convexity.is_convex({1, 4}));
}

TEST(Convexity, AgreesWithAllPaths) {
  std::mt19937 random(11);
  for (int i = 0; i < 500; ++i) {
    const CoverProblem problem = random_problem(random, 8, 0, true);
    bool reach[8][8] = {};
    for (const auto& [from, to] : problem.edges) reach[from][to] = true;
    for (size_t k = 0; k < 8; ++k)
      for (size_t a = 0; a < 8; ++a)
        for (size_t b = 0; b < 8; ++b) reach[a][b] |= reach[a][k] && reach[k][b];
    std::set<size_t> set;
    for (size_t k = 0; k < 3; ++k) set.insert(random() % 8);
    bool convex = true;
    for (const size_t a : set)
      for (const size_t b : set)
        for (size_t k = 0; k < 8; ++k) convex &= set.count(k) > 0 || !(reach[a][k] && reach[k][b]);
    const Convexity convexity(8, problem.edges);
    EXPECT_EQ(convexity.is_convex({set.begin(), set.end()}), convex);
  }
}

}  // namespace
}  // namespace opkit::cover
