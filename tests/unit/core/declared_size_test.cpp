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

// A tensor that SetGlobalBuffer gave no size.
GlobalTensor<int32_t> undeclared(void* memory) {
  GlobalTensor<int32_t> t;
  t.SetGlobalBuffer(static_cast<int32_t*>(memory));
  return t;
}

template <uint32_t read, uint32_t written>
void undeclared_scalars(void* const* args) {
  undeclared(args[1])[8].SetValue(written, undeclared(args[0]).GetValue(read) * 2);
}

TEST(UndeclaredSize, TheMemoryEndsScalars) {
  Tensors t;
  ASSERT_TRUE((t.launch<undeclared_scalars<100, 100>>().ok()));
  EXPECT_EQ(t.out[108], 202);
  const LaunchReport read = t.launch<undeclared_scalars<kElements, 0>>();
  ASSERT_EQ(read.faults.size(), 1u);
  EXPECT_EQ(read.faults[0].code, "EK1004");
  EXPECT_THAT(read.faults[0].message, HasSubstr("GetValue: element reads bytes 1024 to 1028"));
  const LaunchReport written = t.launch<undeclared_scalars<0, kElements - 8>>();
  ASSERT_EQ(written.faults.size(), 1u);
  EXPECT_EQ(written.faults[0].code, "EK1004");
  EXPECT_THAT(written.faults[0].message, HasSubstr("of GM tensor 'z'"));
}

TEST(UndeclaredSize, IsOpenWhereNothingElseIsKnown) {
  Tensors t;
  ASSERT_TRUE((t.launch<undeclared_scalars<200, 240>>(nullptr, false).ok()));
  EXPECT_EQ(t.out[248], 402);
}

// Expects one result, a warning for what is read and an error for what is written.
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
