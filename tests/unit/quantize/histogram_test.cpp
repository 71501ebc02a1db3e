#include "opkit/quantize/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace opkit::quantize {
namespace {

std::vector<double> normal(size_t count, double size, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> number(0, size);
  std::vector<double> values(count);
  for (double& value : values) value = number(random);
  return values;
}

TEST(Histogram, CountsTheSameInEveryOrder) {
  std::vector<double> values = normal(5000, 3, 1);
  values.push_back(0);
  values.push_back(97.25);
  Histogram one(256), other(256), parts(256), half(256);
  one.add(values);
  std::vector<double> turned(values.rbegin(), values.rend());
  other.add(turned);
  const auto middle = values.begin() + 2500;
  parts.add(std::vector<double>(values.begin(), middle));
  half.add(std::vector<double>(middle, values.end()));
  parts.add(half);
  for (const Histogram* same : {&other, &parts}) {
    EXPECT_EQ(same->counts(), one.counts());
    EXPECT_EQ(same->reach(), one.reach());
    EXPECT_EQ(same->lowest(), one.lowest());
    EXPECT_EQ(same->highest(), 97.25);
    EXPECT_EQ(same->zeros(), 1u);
    EXPECT_EQ(same->total(), 5002u);
  }
}

TEST(Histogram, KeepsWhatAShareOfTheValuesStaysWithin) {
  std::vector<double> values;
  for (int i = 1; i <= 1000; ++i) values.push_back(i * 0.001);
  Histogram histogram(2048);
  histogram.add(values);
  EXPECT_NEAR(histogram.magnitude_within(0.9), 0.9, 0.002);
  EXPECT_EQ(histogram.magnitude_within(1), 1);
  const auto [low, high] = histogram.range_within(0.9);
  EXPECT_NEAR(low, 0.05, 0.002);
  EXPECT_NEAR(high, 0.95, 0.002);
  EXPECT_NEAR(histogram.share_beyond(0.75), 0.25, 0.002);
  EXPECT_EQ(Histogram(16).magnitude_within(0.5), 0);
}

// One far value must not take the levels of all others; without it nearly all of the range stays.
TEST(Histogram, CutsOffFewFarValues) {
  std::vector<double> values = normal(100000, 1, 2);
  Histogram plain(2048), far(2048);
  plain.add(values);
  values.push_back(60);
  far.add(values);
  const double largest = std::max(-plain.lowest(), plain.highest());
  EXPECT_LE(plain.magnitude_of_least_divergence(128), largest);
  EXPECT_GT(plain.magnitude_of_least_divergence(128), 2.5);
  EXPECT_LT(far.magnitude_of_least_divergence(128), 30);
  EXPECT_GE(far.magnitude_of_least_divergence(128), 2.5);
}

// Returns the bound of least divergence straight from its definition.
double bound_by_definition(const Histogram& histogram, size_t levels) {
  std::vector<double> all = histogram.magnitudes();
  all[0] = all[1];
  const double largest = std::max(-histogram.lowest(), histogram.highest());
  const double width = histogram.reach() / static_cast<double>(all.size());
  double least = 1e300, bound = largest;
  for (size_t kept = levels; kept <= all.size(); ++kept) {
    if (kept > static_cast<size_t>(std::ceil(largest / width))) break;
    std::vector<double> p(kept), q(kept);
    for (size_t i = 0; i < all.size(); ++i) p[std::min(i, kept - 1)] += all[i];
    for (size_t level = 0; level < levels; ++level) {
      const size_t from = kept * level / levels, to = kept * (level + 1) / levels;
      double sum = 0, filled = 0;
      for (size_t i = from; i < to; ++i) sum += all[i], filled += all[i] > 0;
      for (size_t i = from; i < to; ++i) q[i] = all[i] > 0 ? sum / filled : 0;
    }
    if (q[kept - 1] == 0 && p[kept - 1] > 0) q[kept - 1] = 1e-4;
    double p_sum = 0, q_sum = 0, divergence = 0;
    for (size_t i = 0; i < kept; ++i) p_sum += p[i], q_sum += q[i];
    for (size_t i = 0; i < kept; ++i)
      if (p[i] > 0) divergence += p[i] / p_sum * std::log((p[i] / p_sum) / (q[i] / q_sum));
    if (divergence >= least - 1e-12) continue;
    least = divergence;
    bound = std::min(largest, static_cast<double>(kept) * width);
  }
  return bound;
}

TEST(Histogram, FindsTheBoundOfTheDefinition) {
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    std::vector<double> values = normal(3000, 0.1 * seed, seed);
    for (uint32_t far = 0; far < seed; ++far) values.push_back(3.0 + far);
    if (seed % 3 == 0) {
      for (double& value : values) value = std::max(value, 0.0);
    }
    Histogram histogram(seed % 2 == 0 ? 512 : 256);
    histogram.add(values);
    EXPECT_EQ(histogram.magnitude_of_least_divergence(128), bound_by_definition(histogram, 128))
        << seed;
  }
}

// Bins beyond any bound cost what their levels cost.
TEST(Histogram, TakesAsManyBinsAsThereMayBe) {
  Histogram histogram(65536);
  histogram.add(normal(20000, 1, 3));
  const double bound = histogram.magnitude_of_least_divergence(128);
  EXPECT_GT(bound, 1);
  EXPECT_LE(bound, std::max(-histogram.lowest(), histogram.highest()));
}

TEST(Histogram, TakesConstantValues) {
  Histogram zeros(256), ones(256);
  zeros.add({0, 0, 0});
  ones.add({1, 1});
  EXPECT_EQ(zeros.magnitude_of_least_divergence(128), 0);
  EXPECT_EQ(ones.magnitude_of_least_divergence(128), 1);
  EXPECT_EQ(ones.magnitude_within(0.99), 1);
}

}  // namespace
}  // namespace opkit::quantize
