#include "opkit/measure/gate/regressions.h"

#include <gtest/gtest.h>

namespace opkit::measure {
namespace {

Benchmarks one(const Counters& counters) { return {{"Op", {{"Chip", {{"S=[8]", counters}}}}}}; }

Counters counters(uint64_t cycles, uint64_t read, uint64_t written) {
  Counters counters;
  counters.cycles = cycles;
  counters.gm_read = read;
  counters.gm_written = written;
  return counters;
}

TEST(Regressions, BeginBehindFivePercent) {
  const Benchmarks before = one(counters(1000, 600, 400));
  EXPECT_TRUE(differences(before, one(counters(1050, 650, 400))).empty());
  const auto slower = differences(before, one(counters(1051, 600, 400)));
  ASSERT_EQ(slower.size(), 1u);
  EXPECT_EQ(slower[0].what, "cycles");
  EXPECT_TRUE(slower[0].worse);
  const auto wider = differences(before, one(counters(1000, 600, 451)));
  ASSERT_EQ(wider.size(), 1u);
  EXPECT_EQ(wider[0].what, "GM bytes");
}

TEST(Regressions, LessIsToldAndLetThrough) {
  const auto found = differences(one(counters(1000, 1, 1)), one(counters(900, 1, 1)));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].worse);
}

TEST(Regressions, CyclesFromNothingAreMore) {
  const auto found = differences(one(counters(0, 0, 0)), one(counters(1, 0, 0)));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].worse);
}

TEST(Regressions, OtherCallsAreWorse) {
  const Benchmarks some = one(counters(1, 1, 1));
  EXPECT_EQ(differences({}, some).at(0).what, "not in the file");
  EXPECT_EQ(differences(some, {}).at(0).what, "no longer there");
}

TEST(Regressions, WhatIsNoLongerModelledIsWorse) {
  Counters refused;
  refused.not_modelled = "OPK-DRY-001";
  Counters cut = counters(1, 1, 1);
  cut.exact = false;
  EXPECT_EQ(differences(one(counters(1, 1, 1)), one(refused)).at(0).what, "modelled");
  EXPECT_EQ(differences(one(counters(1, 1, 1)), one(cut)).at(0).what, "watched to its end");
  EXPECT_TRUE(differences(one(refused), one(refused)).empty());
}

}  // namespace
}  // namespace opkit::measure
