#include "opkit/model/profile/timeline_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measured_frame.h"

namespace opkit::model_profile {
namespace {

using ::testing::HasSubstr;

TEST(TimelineTrace, HasARowForEachAndEveryPiece) {
  const std::string text = timeline_trace(frame({.launch = 500, .between = 40}));
  for (const char* row : {"\"copies\"", "\"stream 0\"", "\"host\"", "small on Ascend910B1"})
    EXPECT_THAT(text, HasSubstr(row));
  size_t events = 0;
  for (size_t at = text.find("\"X\""); at != std::string::npos; at = text.find("\"X\"", at + 1))
    ++events;
  EXPECT_EQ(events, 6u);
  EXPECT_THAT(text, HasSubstr("\"ts\": 0.001"));  // behind the copy of 1 ns, in microseconds
  EXPECT_THAT(text, HasSubstr("\"dur\": 1.5"));
}

}  // namespace
}  // namespace opkit::model_profile
