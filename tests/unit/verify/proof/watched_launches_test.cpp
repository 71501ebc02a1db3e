#include "opkit/verify/proof/watched_launches.h"

#include <gtest/gtest.h>

#include "opkit/soc/soc_spec.h"

namespace opkit::verify {
namespace {

CallPlan plan_with(uint64_t key, uint32_t blocks) {
  CallPlan plan;
  plan.soc = find_soc("Ascend910B1")->spec;
  plan.tiling.key = key;
  plan.tiling.block_dim = blocks;
  return plan;
}

int needed(WatchedLaunches& watched, const CallPlan& plan, uint64_t instructions) {
  int count = 0;
  for (int i = 0; i < 10; ++i) count += watched.needs(plan, instructions) ? 1 : 0;
  return count;
}

TEST(WatchedLaunches, AFewOfEachKindAreEnough) {
  WatchedLaunches watched(10000);
  const int few = needed(watched, plan_with(1, 4), 400);
  EXPECT_GT(few, 1);
  EXPECT_LT(few, 10);
  EXPECT_EQ(needed(watched, plan_with(1, 8), 800), 0) << "blocks of the same length";
  EXPECT_EQ(needed(watched, plan_with(1, 4), 4000), few) << "longer blocks";
  EXPECT_EQ(needed(watched, plan_with(2, 4), 400), few) << "another key";
  CallPlan other = plan_with(1, 4);
  other.binding.column = 1;
  EXPECT_EQ(needed(watched, other, 400), few) << "another column";
  other.soc = find_soc("Ascend310B1")->spec;
  EXPECT_EQ(needed(watched, other, 400), few) << "another chip";
}

TEST(WatchedLaunches, ALaunchWithoutBlocksDividesByNothing) {
  WatchedLaunches watched(10000);
  EXPECT_FALSE(watched.needs(plan_with(0, 0), 10001));
  EXPECT_TRUE(watched.needs(plan_with(0, 0), 0));
}

}  // namespace
}  // namespace opkit::verify
