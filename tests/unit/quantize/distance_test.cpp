#include "opkit/quantize/distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/quantize/graphs.h"

namespace opkit::quantize {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Distance, MeasuresNoiseAgainstTheSignal) {
  Distance distance;
  distance.add(floats({2}, {3, 4}), floats({2}, {3, 4.5}));
  EXPECT_DOUBLE_EQ(distance.decibels(), 20);
  EXPECT_DOUBLE_EQ(distance.relative(), 0.01);
  EXPECT_EQ(distance.largest, 0.5);
  EXPECT_EQ(distance.mean(), 0.25);
}

TEST(Distance, HasNoFiniteNoiseWithoutASignal) {
  Distance equal, lost;
  equal.add(floats({2}, {0, -0.0}), floats({2}, {0, 0}));
  EXPECT_EQ(equal.decibels(), kInfinity);
  EXPECT_EQ(equal.relative(), 0);
  EXPECT_EQ(equal.cosine(), 1);
  lost.add(floats({1}, {0}), floats({1}, {1}));
  EXPECT_EQ(lost.decibels(), -kInfinity);
  EXPECT_EQ(lost.relative(), kInfinity);
}

TEST(Distance, CountsWhatIsFiniteInOneAlone) {
  Distance same, other;
  same.add(floats({3}, {kNaN, kInfinity, 1}), floats({3}, {kNaN, kInfinity, 1}));
  EXPECT_EQ(same.odd, 0u);
  EXPECT_EQ(same.decibels(), kInfinity);
  other.add(floats({3}, {kNaN, kInfinity, 1}), floats({3}, {0, -kInfinity, 1}));
  EXPECT_EQ(other.odd, 2u);
  EXPECT_EQ(other.relative(), kInfinity);
}

TEST(Agreement, TakesTheFirstOfEqualScores) {
  Agreement scores;
  scores.add(floats({2, 3}, {1, 1, 0, 0, 2, 2}), floats({2, 3}, {5, 1, 0, 0, 1, 2}), {0, 2});
  EXPECT_EQ(scores.rows, 2u);
  EXPECT_EQ(scores.same, 1u);
  EXPECT_EQ(scores.in_five, 2u);
  EXPECT_EQ(scores.right_a, 1u);
  EXPECT_EQ(scores.right_b, 2u);
}

// A NaN is neither smaller nor larger than a score: such a row says no class, and nobody agrees.
TEST(Agreement, HasNoClassInARowWithANaN) {
  Agreement scores;
  scores.add(floats({3, 4}, {kNaN, 1, 2, 3, 0, 1, 2, 3, kNaN, kNaN, kNaN, kNaN}),
             floats({3, 4}, {0, 1, 2, 3, 0, 1, 2, kNaN, kNaN, kNaN, kNaN, kNaN}), {3, 3, 0});
  EXPECT_EQ(scores.rows, 3u);
  EXPECT_EQ(scores.unordered, 3u);
  EXPECT_EQ(scores.same, 0u);
  EXPECT_EQ(scores.in_five, 0u);
  EXPECT_EQ(scores.right_a, 1u);
  EXPECT_EQ(scores.right_b, 1u);
  EXPECT_EQ(scores.five_a, 1u);
  Agreement sum;
  sum.add(scores);
  EXPECT_EQ(sum.unordered, 3u);
}

TEST(Agreement, IsOfRowsOfScores) {
  EXPECT_TRUE(is_scores(floats({1, 4, 1, 1}, {1, 2, 3, 4})));
  EXPECT_FALSE(is_scores(floats({4}, {1, 2, 3, 4})));
  EXPECT_FALSE(is_scores(floats({1, 2, 2}, {1, 2, 3, 4})));
  EXPECT_FALSE(is_scores(floats({4, 1}, {1, 2, 3, 4})));
}

}  // namespace
}  // namespace opkit::quantize
