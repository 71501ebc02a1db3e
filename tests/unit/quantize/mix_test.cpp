#include "opkit/quantize/mix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace opkit::quantize {
namespace {

double drawn(std::mt19937& random) { return static_cast<double>(random() % 1000) / 100; }

// int8 is mostly faster and always noisier.
MixProblem chain(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  MixProblem problem;
  for (size_t i = 0; i < count; ++i) {
    const double half = 1 + drawn(random), noise = drawn(random);
    problem.layers.push_back(
        {{half * 0.5 + drawn(random) / 10, half, 2 * half}, {noise, noise / 100, 0}});
    if (i > 0) problem.edges.push_back({i - 1, i, drawn(random) / 5});
  }
  return problem;
}

// All assignments that none beats.
std::vector<Mix> by_force(const MixProblem& problem) {
  std::vector<Mix> all;
  size_t count = 1;
  for (size_t i = 0; i < problem.layers.size(); ++i) count *= kKinds;
  for (size_t code = 0; code < count; ++code) {
    std::vector<Kind> kinds;
    for (size_t i = 0, rest = code; i < problem.layers.size(); ++i, rest /= kKinds)
      kinds.push_back(static_cast<Kind>(rest % kKinds));
    all.push_back(mix_of(problem, kinds));
  }
  std::vector<Mix> front;
  for (const Mix& one : all) {
    bool beaten = false;
    for (const Mix& other : all)
      beaten = beaten || (other.time <= one.time && other.noise <= one.noise &&
                          (other.time < one.time || other.noise < one.noise));
    if (!beaten) front.push_back(one);
  }
  return front;
}

TEST(Mix, IsExactOnChains) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    const MixProblem problem = chain(6, seed);
    const Front front = mix_front(problem, 1);
    EXPECT_TRUE(front.exact);
    const std::vector<Mix> wanted = by_force(problem);
    ASSERT_EQ(front.mixes.size(), wanted.size()) << seed;
    for (const Mix& mix : wanted) {
      bool found = false;
      for (const Mix& other : front.mixes)
        found = found || (std::abs(other.time - mix.time) < 1e-9 &&
                          std::abs(other.noise - mix.noise) < 1e-9);
      EXPECT_TRUE(found) << seed;
    }
  }
}

TEST(Mix, IsASearchElsewhereThatIsAlwaysTheSame) {
  for (uint32_t seed = 1; seed <= 10; ++seed) {
    MixProblem problem = chain(6, seed);
    problem.edges.push_back({0, 4, 1.5});
    problem.edges.push_back({1, 5, 0.7});
    const Front front = mix_front(problem, 9), again = mix_front(problem, 9);
    EXPECT_FALSE(front.exact);
    ASSERT_EQ(front.mixes.size(), again.mixes.size());
    // The fastest one of all is found, and every one is what it says.
    double fastest = kNever;
    for (const Mix& mix : by_force(problem)) fastest = std::min(fastest, mix.time);
    EXPECT_NEAR(front.mixes[0].time, fastest, 1e-9) << seed;
    for (size_t i = 0; i < front.mixes.size(); ++i) {
      EXPECT_EQ(front.mixes[i].kinds, again.mixes[i].kinds);
      EXPECT_EQ(mix_of(problem, front.mixes[i].kinds).time, front.mixes[i].time);
    }
  }
}

TEST(Mix, LeavesOutWhatALayerDoesNotHave) {
  MixProblem problem = chain(4, 3);
  problem.layers[2].time[0] = kNever;
  for (const Mix& mix : mix_front(problem, 1).mixes) EXPECT_NE(mix.kinds[2], Kind::kInt8);
}

TEST(Mix, TakesLongChains) {
  const Front front = mix_front(chain(60, 5), 1);
  ASSERT_GT(front.mixes.size(), 10u);
  for (size_t i = 1; i < front.mixes.size(); ++i) {
    EXPECT_GT(front.mixes[i].time, front.mixes[i - 1].time);
    EXPECT_LT(front.mixes[i].noise, front.mixes[i - 1].noise);
  }
}

}  // namespace
}  // namespace opkit::quantize
