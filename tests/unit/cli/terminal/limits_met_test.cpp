#include "opkit/cli/terminal/limits_met.h"

#include <gmock/gmock.h>

#include <new>
#include <stdexcept>
#include <system_error>

namespace opkit::cli {
namespace {

using testing::HasSubstr;

std::optional<Error> lack_at(int number) {
  return lack_of(std::system_error(number, std::generic_category(), "open"));
}

TEST(LimitsMet, WhatTheMachineLacksIsTold) {
  const auto memory = lack_of(std::bad_alloc());
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->code, "OPK-ENV-007");
  EXPECT_THAT(memory->message, HasSubstr("no memory is left"));
  for (const int number : {EAGAIN, ENOMEM, EMFILE, ENFILE, EFBIG}) {
    const auto lack = lack_at(number);
    ASSERT_TRUE(lack) << number;
    EXPECT_EQ(lack->code, "OPK-ENV-007") << number;
    EXPECT_THAT(lack->message, HasSubstr("the machine refused: open")) << number;
  }
  EXPECT_EQ(lack_at(ENOSPC)->action, "free space on the disk");
}

TEST(LimitsMet, OtherFailuresAreNotTheMachines) {
  EXPECT_FALSE(lack_at(EINVAL));
  EXPECT_FALSE(lack_of(std::runtime_error("no memory")));
}

}  // namespace
}  // namespace opkit::cli
