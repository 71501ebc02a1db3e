// Cures of faults exist on the chip that they are told for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/core/other_chips.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::AllOf;
using ::testing::HasSubstr;

void copies_behind_the_end(void* const* args) {
  DataCopy(ub<float>(0), gm<float>(args)[65536 / sizeof(float) - 4], 16);
}

// A cure names no call that the chip lacks.
TEST(Cures, NameNoCallThatTheChipLacks) {
  const auto on = [](const opk_soc_v1& chip) {
    return faults_on<copies_behind_the_end>(chip, OPK_TASK_AIV_ONLY, nullptr, true);
  };
  const Faults newer = on(soc_910b());
  ASSERT_EQ(newer.size(), 1u);
  EXPECT_THAT(newer[0].action, HasSubstr("use DataCopyPad"));
  for (const opk_soc_v1& chip : {soc_310p(), soc_910a()}) {
    const Faults faults = on(chip);
    ASSERT_EQ(faults.size(), 1u);
    EXPECT_THAT(faults[0].action,
                AllOf(HasSubstr("begin earlier"), HasSubstr("this chip has no DataCopyPad")));
  }
}

}  // namespace
}  // namespace opkit::core::test
