#include "opkit/core/state/flag_counters.h"

#include <gtest/gtest.h>

namespace opkit::core {
namespace {

TEST(FlagCounters, NoFlagIsUpBeforeOneRises) {
  FlagCounters flags;
  flags.reset(4);
  EXPECT_FALSE(flags.is_up(3, 15));
}

TEST(FlagCounters, CountsPerCoreAndId) {
  FlagCounters flags;
  flags.reset(4);
  flags.raise(2, 5);
  flags.raise(2, 5);
  EXPECT_FALSE(flags.is_up(2, 4));
  EXPECT_FALSE(flags.is_up(1, 5));
  flags.take(2, 5);
  EXPECT_TRUE(flags.is_up(2, 5));
  flags.take(2, 5);
  EXPECT_FALSE(flags.is_up(2, 5));
}

TEST(FlagCounters, ResetForgetsAndMayGrow) {
  FlagCounters flags;
  flags.reset(1);
  flags.raise(0, 0);
  flags.reset(100);
  EXPECT_FALSE(flags.is_up(0, 0));
  flags.raise(99, 15);
  EXPECT_FALSE(flags.is_up(0, 0));
  EXPECT_TRUE(flags.is_up(99, 15));
}

}  // namespace
}  // namespace opkit::core
