#include "opkit/measure/bench/samples.h"

#include <gtest/gtest.h>

namespace opkit::measure {
namespace {

TEST(Samples, AreSummedUp) {
  std::vector<double> samples;
  for (int i = 100; i >= 1; --i) samples.push_back(i);
  const SampleSummary summary = summary_of(samples);
  EXPECT_EQ(summary.count, 100u);
  EXPECT_DOUBLE_EQ(summary.mean, 50.5);
  EXPECT_EQ(summary.p50, 50);
  EXPECT_EQ(summary.p95, 95);
  EXPECT_EQ(summary.least, 1);
  EXPECT_NEAR(summary.cv, 29.011 / 50.5, 1e-3);
  EXPECT_TRUE(summary.noisy());
}

TEST(Samples, OneIsEnough) {
  const SampleSummary summary = summary_of({3});
  EXPECT_EQ(summary.mean, 3);
  EXPECT_EQ(summary.p95, 3);
  EXPECT_EQ(summary.cv, 0);
  EXPECT_FALSE(summary.noisy());
}

}  // namespace
}  // namespace opkit::measure
