#include "opkit/atc/compile/accepted_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opkit::compile {
namespace {

using testing::HasSubstr;

TEST(AcceptedFlags, TakeTheirValuesAndNoOther) {
  for (const AcceptedFlag& flag : accepted_flags()) {
    EXPECT_EQ(find_accepted_flag(flag.name), &flag);
    for (const std::string& value : flag.values)
      EXPECT_TRUE(check(flag, "--" + flag.name, value).ok()) << flag.name << '=' << value;
    const Status other = check(flag, "--" + flag.name, "no such value");
    EXPECT_EQ(other.ok(), flag.values.empty()) << flag.name;
    EXPECT_EQ(flag.why.empty(), flag.values.empty()) << flag.name;
  }
  EXPECT_EQ(find_accepted_flag("virtual_type"), nullptr);
}

TEST(AcceptedFlags, TakeNoLayoutOfTheChipsAtTheModelsEnds) {
  for (const char* name : {"is_input_adjust_hw_layout", "is_output_adjust_hw_layout"}) {
    const AcceptedFlag* const flag = find_accepted_flag(name);
    ASSERT_NE(flag, nullptr) << name;
    EXPECT_TRUE(check(*flag, name, "false").ok());
    EXPECT_FALSE(check(*flag, name, "true").ok());
  }
}

TEST(AcceptedFlags, SayWhyAValueIsRefused) {
  const Status refused = check(*find_accepted_flag("core_type"), "--core_type", "VectorCore");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().to_string(),
              testing::AllOf(HasSubstr("E10001: value [VectorCore] for parameter [--core_type] is "
                                       "invalid. Reason: the task type of a kernel says on which "
                                       "cores it runs"),
                             HasSubstr("try: --core_type=AiCore")));
}

}  // namespace
}  // namespace opkit::compile
