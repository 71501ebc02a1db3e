#include "opkit/core/share_choice.h"

#include <gtest/gtest.h>

namespace opkit::core {
namespace {

using std::chrono::microseconds;

const int kKernel = 0, kOther = 0;

TEST(ShareChoice, KeepsAShortLaunchToItself) {
  ShareChoice choice;
  ShareChoice::Kind& kind = choice.of(&kKernel, 8);
  EXPECT_TRUE(kind.wants_sharing()) << "nothing is known";
  kind.took(true, microseconds(6));
  EXPECT_FALSE(kind.wants_sharing()) << "the other way is tried";
  kind.took(false, microseconds(2));
  EXPECT_FALSE(kind.wants_sharing());
  EXPECT_EQ(&choice.of(&kKernel, 8), &kind);
}

TEST(ShareChoice, SharesALongLaunch) {
  ShareChoice choice;
  ShareChoice::Kind& kind = choice.of(&kKernel, 48);
  kind.took(true, microseconds(400));
  EXPECT_TRUE(kind.wants_sharing());
  for (uint32_t i = 0; i < 3 * ShareChoice::kTryAgain; ++i) {
    EXPECT_TRUE(kind.wants_sharing()) << "launch " << i;
    kind.took(true, microseconds(400));
  }
}

TEST(ShareChoice, LearnsThatTheWorkHasGrown) {
  ShareChoice choice;
  ShareChoice::Kind& kind = choice.of(&kKernel, 48);
  kind.took(true, microseconds(6));
  kind.took(false, microseconds(2));
  ASSERT_FALSE(kind.wants_sharing());
  kind.took(false, microseconds(900));
  EXPECT_TRUE(kind.wants_sharing());
  kind.took(true, microseconds(500));
  EXPECT_TRUE(kind.wants_sharing());
}

// A disturbed measurement must not decide for ever.
TEST(ShareChoice, TriesTheSlowerWayAgain) {
  ShareChoice choice;
  ShareChoice::Kind& kind = choice.of(&kKernel, 48);
  kind.took(true, microseconds(6));
  kind.took(false, microseconds(900));
  int alone = 0;
  for (uint32_t i = 0; i < 2 * ShareChoice::kTryAgain; ++i) {
    const bool shared = kind.wants_sharing();
    alone += !shared;
    kind.took(shared, microseconds(shared ? 6 : 2));
  }
  EXPECT_GT(alone, static_cast<int>(ShareChoice::kTryAgain) / 2);
}

TEST(ShareChoice, KeepsKernelsAndBlockCountsApart) {
  ShareChoice choice;
  choice.of(&kKernel, 48).took(true, microseconds(900));
  EXPECT_EQ(choice.of(&kOther, 48).launches, 0u);
  EXPECT_EQ(choice.of(&kKernel, 8).launches, 0u);
}

}  // namespace
}  // namespace opkit::core
