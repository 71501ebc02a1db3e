// When Checked says nothing about bytes of an output that nobody writes, and where it points when
// there is no instruction to point to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::HasSubstr;

constexpr uint32_t kElements = 128;

struct Kernel {
  uint32_t written = 0;  // elements
  bool adds = false, traps = false;
};
Kernel now;

void kernel(void* const* args) {
  if (now.traps) return Trap();
  if (now.written == 0) return;
  LocalTensor<float> tile(TPosition::VECOUT, 0, kElements);
  Duplicate(tile, 1.0f, static_cast<int32_t>(kElements));
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  GlobalTensor<float> z;
  z.SetGlobalBuffer(static_cast<float*>(args[0]));
  if (now.adds) SetAtomicAdd<float>();
  DataCopy(z, tile, now.written);
  if (now.adds) SetAtomicNone();
}

CheckedReport judged(Kernel what, bool defined = false, bool output = true,
                     CheckedOptions options = {}) {
  now = what;
  std::vector<float> z(kElements, 0.0f);
  Checked checked(options);
  LaunchSetup setup;
  setup.observer = &checked;
  setup.gm = {{reinterpret_cast<uint8_t*>(z.data()), kElements * 4, "z", true, defined, output}};
  const LaunchReport launch = run<kernel>({z.data()}, setup);
  return checked.take_report(launch);
}

TEST(Outputs, ThatNobodyTouchesAreReportedAsAWhole) {
  const CheckedReport report = judged({});
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& f = report.findings[0];
  EXPECT_EQ(f.code, "EK1315");
  EXPECT_TRUE(f.warning);
  EXPECT_THAT(f.message,
              HasSubstr("512 of 512 bytes of output 'z' are never written: bytes 0 to 512"));
  EXPECT_EQ(f.at.instruction, "end of the launch");
  EXPECT_EQ(f.at.pc, nullptr);
  EXPECT_THAT(f.action, HasSubstr("InitValue"));
}

TEST(Outputs, ThatAreWrittenInPartNameTheNeighbour) {
  const CheckedReport report = judged({96});
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_THAT(report.findings[0].message, HasSubstr("128 of 512 bytes"));
  EXPECT_THAT(report.findings[0].message, HasSubstr("bytes 384 to 512"));
  EXPECT_EQ(report.findings[0].at.instruction, "DataCopy on MTE3");
}

TEST(Outputs, ThatAreCompleteOrNoOutputsAreNotReported) {
  EXPECT_TRUE(judged({kElements}).findings.empty());
  EXPECT_TRUE(judged({96}, false, false).findings.empty());
}

// InitValue, or the memory of an input.
TEST(Outputs, ThatHaveValuesBeforeAreNotReported) {
  EXPECT_TRUE(judged({96}, true).findings.empty());
}

TEST(Outputs, ThatAtomicCopiesAddToAreNotReported) {
  Kernel adds{96};
  adds.adds = true;
  for (const Finding& f : judged(adds).findings) EXPECT_EQ(f.code, "EK1402");
}

TEST(Outputs, OfALaunchThatDidNotEndAreNotReported) {
  Kernel trap;
  trap.traps = true;
  for (const Finding& f : judged(trap).findings) EXPECT_EQ(f.code, "EK1601");
}

TEST(Outputs, AreLeftAloneWithoutInitialisation) {
  CheckedOptions options;
  options.initialisation = false;
  EXPECT_TRUE(judged({96}, false, true, options).findings.empty());
}

}  // namespace
}  // namespace opkit::core::test
