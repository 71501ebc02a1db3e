#include "opkit/isolation/pace.h"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

namespace opkit::isolation {
namespace {

using std::chrono::milliseconds;
using Seconds = std::chrono::duration<double>;

constexpr Work kSmall{Work::Kind::kLaunch, 4000};

TEST(Pace, IsGenerousBeforeAnythingIsMeasured) {
  const Pace pace;
  EXPECT_GE(pace.limit(kSmall), milliseconds(10'000));
  EXPECT_GT(pace.limit({Work::Kind::kLaunch, 1u << 30}), pace.limit(kSmall));
  EXPECT_GT(pace.limit({Work::Kind::kObserved, 1u << 30}),
            pace.limit({Work::Kind::kLaunch, 1u << 30}));
}

TEST(Pace, MeasuredAnswersMakeItNarrower) {
  Pace pace;
  pace.learn(kSmall, Seconds(0.0001));
  EXPECT_EQ(pace.limit(kSmall), milliseconds(2'000));
  // Knows nothing of a kind that was not measured.
  EXPECT_EQ(pace.limit({Work::Kind::kHostFunction, 0}), milliseconds(10'000));
  pace.learn(kSmall, Seconds(0.05));
  EXPECT_EQ(pace.limit(kSmall), milliseconds(5'000));
}

TEST(Pace, LargerCallsHaveMoreTime) {
  Pace pace;
  pace.learn({Work::Kind::kLaunch, 1 << 20}, Seconds(0.04));
  EXPECT_EQ(pace.limit({Work::Kind::kLaunch, 2 << 20}), milliseconds(8'000));
}

TEST(Pace, IsLessPatientAfterATimeOut) {
  Pace pace;
  const milliseconds before = pace.limit(kSmall);
  pace.too_slow();
  EXPECT_LE(pace.limit(kSmall) * 9, before);
  pace.learn({Work::Kind::kHostFunction, 0}, Seconds(0.0001));
  EXPECT_LE(pace.limit(kSmall) * 9, before);
}

// One heavy call of a right op must not fail the others.
TEST(Pace, IsPatientAgainWhenALaunchEnds) {
  Pace pace;
  pace.learn(kSmall, Seconds(0.05));
  const milliseconds before = pace.limit(kSmall);
  pace.too_slow();
  EXPECT_LT(pace.limit(kSmall), before);
  pace.learn({Work::Kind::kObserved, 4000}, Seconds(0.05));
  EXPECT_EQ(pace.limit(kSmall), before);
}

// Never longer than for a plugin of which nothing is known, never too short for a busy host.
RC_GTEST_PROP(Pace, LimitsAreBounded, (uint32_t bytes, uint32_t of_other, uint16_t ms)) {
  Pace pace;
  const Work work{Work::Kind::kObserved, bytes};
  const milliseconds most = pace.limit(work);
  pace.learn({Work::Kind::kObserved, of_other}, Seconds(ms / 1000.0));
  RC_ASSERT(pace.limit(work) <= most);
  RC_ASSERT(pace.limit(work) >= milliseconds(2'000));
  pace.too_slow();
  RC_ASSERT(pace.limit(work) >= milliseconds(500));
}

}  // namespace
}  // namespace opkit::isolation
