// The size that SetGlobalBuffer is given: nothing on the chip reads it, so that accesses behind it
// work as long as the memory is there; Checked tells.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/core/modes/checked.h"
#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::HasSubstr;

constexpr uint32_t kElements = 256, kDeclared = 64;

struct Tensors {
  std::vector<int32_t> in = std::vector<int32_t>(kElements), out = std::vector<int32_t>(kElements);

  Tensors() {
    for (uint32_t i = 0; i < kElements; ++i) in[i] = static_cast<int32_t>(i) + 1;
  }

  template <KernelBody body>
  LaunchReport launch(Observer* observer = nullptr, bool tells_memory = true) {
    LaunchSetup setup;
    if (tells_memory) {
      setup.gm = {{reinterpret_cast<uint8_t*>(in.data()), kElements * 4, "x", false, true},
                  {reinterpret_cast<uint8_t*>(out.data()), kElements * 4, "z", true}};
    }
    setup.observer = observer;
    return run<body>({in.data(), out.data()}, setup);
  }
};

GlobalTensor<int32_t> declared(void* memory) {
  GlobalTensor<int32_t> t;
  t.SetGlobalBuffer(static_cast<int32_t*>(memory), kDeclared);
  return t;
}

template <uint32_t from, uint32_t count>
void copy(void* const* args) {
  const GlobalTensor<int32_t> in = declared(args[0]), out = declared(args[1]);
  LocalTensor<int32_t> ub(TPosition::VECIN, 0, kElements);
  DataCopy(ub, in[from], count);
  SetFlag<HardEvent::MTE2_MTE3>(0);
  WaitFlag<HardEvent::MTE2_MTE3>(0);
  DataCopy(out[from], ub, count);
}

TEST(DeclaredSize, CopiesGoOnBehindIt) {
  Tensors t;
  const LaunchReport report = t.launch<copy<32, 128>>();
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(report.warnings[0].code, "EK1010");
  for (uint32_t i = 0; i < kElements; ++i) {
    const bool copied = i >= 32 && i < 160;
    EXPECT_EQ(t.out[i], copied ? static_cast<int32_t>(i) + 1 : 0) << i;
  }
}

TEST(DeclaredSize, TheMemoryEndsThem) {
  Tensors t;
  const LaunchReport report = t.launch<copy<192, 128>>();
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].code, "EK1004");
  EXPECT_THAT(report.faults[0].message, HasSubstr("bytes 768 to 1280 of GM tensor 'x'"));
}

// Without a list of the memory the size is all that is known.
TEST(DeclaredSize, BindsWhereNothingElseIsKnown) {
  Tensors t;
  const LaunchReport report = t.launch<copy<32, 128>>(nullptr, false);
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].code, "EK1002");
}

template <uint32_t index>
void scalars(void* const* args) {
  const GlobalTensor<int32_t> in = declared(args[0]), out = declared(args[1]);
  out.SetValue(index, in.GetValue(index) * 2);
}

TEST(DeclaredSize, ScalarsGoOnBehindIt) {
  Tensors t;
  ASSERT_TRUE((t.launch<scalars<100>>().ok()));
  EXPECT_EQ(t.out[100], 202);
  const LaunchReport outside = t.launch<scalars<kElements>>();
  ASSERT_EQ(outside.faults.size(), 1u);
  EXPECT_EQ(outside.faults[0].code, "EK1004");
  EXPECT_EQ((t.launch<scalars<100>>(nullptr, false).faults.at(0).code), "EK1002");
}

// The same result, a warning for what is read and an error for what is written.
TEST(DeclaredSize, CheckedTells) {
  Tensors t;
  Checked checked{CheckedOptions{}};
  const LaunchReport report = t.launch<copy<32, 128>>(&checked);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(t.out[159], 160);
  const CheckedReport found = checked.take_report(report);
  ASSERT_EQ(found.findings.size(), 2u);
  EXPECT_EQ(found.errors(), 1u);
  for (const Finding& finding : found.findings) {
    EXPECT_EQ(finding.code, "EK1010");
    EXPECT_THAT(finding.message, HasSubstr(finding.warning ? "DataCopy: source reads 512 bytes"
                                                           : "DataCopy: destination writes 512"));
    EXPECT_THAT(finding.message, HasSubstr("has 128 left"));
    EXPECT_FALSE(finding.action.empty());
  }
}

}  // namespace
}  // namespace opkit::core::test
