#include "opkit/isolation/run_delay.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace opkit::isolation {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

TEST(RunDelay, ReadsTheSecondNumber) {
  EXPECT_EQ(RunDelay::parse("123 456 7"), nanoseconds(456));
  for (const char* other :
       {"", "123", "123 ", "1 x 3", "1 2", "1 -5 3", "1 99999999999999999999 3"})
    EXPECT_FALSE(RunDelay::parse(other)) << other;
}

TEST(RunDelay, TheThreadThatWaitedLongestCounts) {
  const auto ms = [](int n) { return nanoseconds(milliseconds(n)); };
  EXPECT_EQ(RunDelay::longest({{1, ms(10)}, {2, ms(500)}}, {{1, ms(40)}, {2, ms(520)}}),
            milliseconds(30));
  EXPECT_EQ(RunDelay::longest({{1, ms(10)}}, {{1, ms(10)}, {7, ms(80)}}), milliseconds(80));
  EXPECT_EQ(RunDelay::longest({{1, ms(10)}}, {}), milliseconds(0));
}

TEST(RunDelay, KnowsItsOwnThreadsAndNoDeadProcess) {
  RunDelay delay;
  EXPECT_EQ(delay.lost(getpid()), milliseconds(0));
  delay.begin(getpid());
  EXPECT_TRUE(delay.begun());
  EXPECT_GE(delay.lost(getpid()), milliseconds(0));
  EXPECT_TRUE(RunDelay::delays_of(-1).empty());
  delay.forget();
  EXPECT_FALSE(delay.begun());
}

}  // namespace
}  // namespace opkit::isolation
