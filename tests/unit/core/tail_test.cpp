// What lies behind a GM tensor and at the end of UB. The memory that allocations have behind a
// tensor (page "aclrtMalloc") takes reads and writes; Checked keeps kernels out of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "opkit/core/modes/checked.h"
#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::HasSubstr;

constexpr uint32_t kElements = 21;  // 42 bytes: the tail ends at byte 96

struct Source {
  std::vector<int16_t> in = std::vector<int16_t>(64, 7), out = std::vector<int16_t>(64, -9);

  Source() { std::fill(in.begin() + kElements, in.end(), int16_t{-1}); }

  template <KernelBody body>
  LaunchReport read(bool has_tail, bool writable = false, Observer* observer = nullptr) {
    LaunchSetup setup;
    setup.gm = {{reinterpret_cast<uint8_t*>(in.data()), kElements * 2, "x", writable, true, false,
                 has_tail},
                {reinterpret_cast<uint8_t*>(out.data()), 128, "z", true}};
    setup.observer = observer;
    return run<body>({in.data(), out.data()}, setup);
  }
};

template <uint32_t elements>
void copy_through(void* const* args) {
  GlobalTensor<int16_t> in, out;
  in.SetGlobalBuffer(static_cast<int16_t*>(args[0]));
  out.SetGlobalBuffer(static_cast<int16_t*>(args[1]));
  LocalTensor<int16_t> ub(TPosition::VECIN, 0, 64);
  DataCopy(ub, in, elements);
  SetFlag<HardEvent::MTE2_MTE3>(0);
  WaitFlag<HardEvent::MTE2_MTE3>(0);
  DataCopy(out, ub, elements);
}

TEST(GmTail, ReadsReachIntoIt) {
  for (const bool writable : {false, true}) {
    Source s;
    const LaunchReport report = s.read<copy_through<48>>(true, writable);
    ASSERT_TRUE(report.ok());
    ASSERT_EQ(report.warnings.size(), 1u);
    EXPECT_EQ(report.warnings[0].code, "EK1009");
    for (uint32_t i = 0; i < 48; ++i) EXPECT_EQ(s.out[i], i < kElements ? 7 : -1) << i;
    EXPECT_EQ(s.out[48], -9);
  }
}

TEST(GmTail, ReadsBehindItAreRefused) {
  Source s;
  const LaunchReport report = s.read<copy_through<64>>(true);
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].code, "EK1004");
  EXPECT_EQ(s.read<copy_through<48>>(false).faults.at(0).code, "EK1004");  // no tail
}

// Shows that what an input's page holds behind the allocation is mapped.
TEST(GmTail, ReadsOfAnInputReachToTheEndOfItsPage) {
  std::vector<int16_t> in(2048, -1), out(64, -9);
  std::fill_n(in.begin(), kElements, int16_t{7});
  LaunchSetup setup;
  setup.gm = {{reinterpret_cast<uint8_t*>(in.data()), kElements * 2, "x", false, true, false, true},
              {reinterpret_cast<uint8_t*>(out.data()), 128, "z", true}};
  setup.gm[0].input = true;
  const LaunchReport report = run<copy_through<64>>({in.data(), out.data()}, setup);
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(report.warnings[0].code, "EK1009");
  EXPECT_THAT(report.warnings[0].message, HasSubstr("reads 86 bytes behind GM tensor 'x', behind"));
  EXPECT_EQ(out[20], 7);
  EXPECT_EQ(out[63], -1);
  Strict strict;
  setup.observer = &strict;
  EXPECT_EQ(run<copy_through<64>>({in.data(), out.data()}, setup).faults.at(0).code, "EK1004");
}

template <uint32_t element>
void read_far_behind(void* const* args) {
  GlobalTensor<int16_t> in;
  in.SetGlobalBuffer(static_cast<int16_t*>(args[0]));
  LocalTensor<int16_t> ub(TPosition::VECIN, 0, 64);
  DataCopy(ub, in[element], 16);
}
TEST(GmTail, ThePageEnds) {
  std::vector<int16_t> in(4096, -1);
  LaunchSetup setup;
  setup.gm = {
      {reinterpret_cast<uint8_t*>(in.data()), kElements * 2, "x", false, true, false, true}};
  setup.gm[0].input = true;
  EXPECT_TRUE(run<read_far_behind<2032>>({in.data()}, setup).ok());
  EXPECT_EQ(run<read_far_behind<2033>>({in.data()}, setup).faults.at(0).code, "EK1004");
}

void pad_one_too_many(void* const* args) {
  GlobalTensor<int16_t> in;
  in.SetGlobalBuffer(static_cast<int16_t*>(args[0]));
  LocalTensor<int16_t> ub(TPosition::VECIN, 0, 64);
  DataCopyPad(ub, in, DataCopyExtParams{1, (kElements + 1) * 2, 0, 0, 0},
              DataCopyPadExtParams<int16_t>{false, 0, 0, 0});
}
TEST(GmTail, CopiesThatCountBytesHaveNoReasonToReadThere) {
  Source s;
  Strict strict;
  EXPECT_EQ(s.read<pad_one_too_many>(true, false, &strict).faults.at(0).code, "EK1004");
  const LaunchReport fast = s.read<pad_one_too_many>(true);
  ASSERT_TRUE(fast.ok());
  EXPECT_EQ(fast.warnings.at(0).code, "EK1009");
}

void write_behind(void* const* args) {
  GlobalTensor<int16_t> in;
  in.SetGlobalBuffer(static_cast<int16_t*>(args[0]));
  LocalTensor<int16_t> ub(TPosition::VECIN, 0, 64);
  Duplicate(ub, int16_t(1), 64);
  PipeBarrier<PIPE_ALL>();
  DataCopy(in, ub, 32);
}
TEST(GmTail, WritesLandThere) {
  Source s;
  const LaunchReport report = s.read<write_behind>(true, true);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(s.in[kElements], 1);
  EXPECT_EQ(s.in[31], 1);
  EXPECT_EQ(s.in[32], -1);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_THAT(report.warnings[0].message, HasSubstr("writes 22 bytes behind GM tensor 'x'"));
  EXPECT_TRUE(report.warnings[0].warning);
}

TEST(GmTail, NobodyWritesBehindIt) {
  Source s;
  EXPECT_EQ(s.read<write_behind>(true, false).faults.at(0).code, "EK1004");  // an input
  EXPECT_EQ(s.read<write_behind>(false, true).faults.at(0).code, "EK1004");  // no tail
  Strict strict;
  EXPECT_EQ(s.read<write_behind>(true, true, &strict).faults.at(0).code, "EK1004");
}

TEST(GmTail, CheckedWarns) {
  Source s;
  Checked checked{CheckedOptions{}};
  const LaunchReport report = s.read<copy_through<48>>(true, false, &checked);
  ASSERT_TRUE(report.ok());
  const CheckedReport found = checked.take_report(report);
  EXPECT_EQ(found.errors(), 0u);
  ASSERT_EQ(found.findings.size(), 1u);
  EXPECT_EQ(found.findings[0].code, "EK1009");
  EXPECT_TRUE(found.findings[0].warning);
  EXPECT_THAT(found.findings[0].message, HasSubstr("reads 54 bytes behind GM tensor 'x'"));
}

void take_all_of_ub(void* const*) {
  if (detail::core()->kind == OPK_CORE_AIC) return;
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 192 * 1024);
  Duplicate(buffer.Get<int32_t>()[48 * 1024 - 8], 1, 8);
}

// The framework keeps 256 bytes where cube and vector cores work together, and only there.
TEST(UbSize, VectorKernelsHaveAllOfIt) {
  const LaunchReport alone = run<take_all_of_ub>({});
  EXPECT_TRUE(alone.ok());
  EXPECT_TRUE(alone.warnings.empty());
  LaunchSetup mixed;
  mixed.task_type = OPK_TASK_MIX_1_1;
  const LaunchReport report = run<take_all_of_ub>({}, mixed);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_THAT(report.warnings[0].message, HasSubstr("196352 bytes"));
}

}  // namespace
}  // namespace opkit::core::test
