// The chip's memories are flat (page "LocalTensor": a tensor is an address and a length that the
// programmer keeps to): what leaves its buffer but not the memory is done, told once, and a fault
// only for who forbids it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/core/modes/checked.h"
#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::HasSubstr;

template <KernelBody body>
LaunchReport observed(Observer* observer, std::vector<int32_t>* out = nullptr,
                      int32_t task_type = OPK_TASK_AIV_ONLY) {
  static std::vector<int32_t> unused(64);
  LaunchSetup setup;
  setup.observer = observer;
  setup.task_type = task_type;
  return run<body>({(out ? *out : unused).data()}, setup);
}

// Fast does it and tells once; who forbids it gets a fault of the same code and words.
template <KernelBody body>
void expect_told(const char* code, const char* text, int32_t task_type = OPK_TASK_AIV_ONLY) {
  const LaunchReport fast = observed<body>(nullptr, nullptr, task_type);
  ASSERT_TRUE(fast.ok()) << fast.faults[0].message;
  ASSERT_EQ(fast.warnings.size(), 1u);
  EXPECT_EQ(fast.warnings[0].code, code);
  EXPECT_TRUE(fast.warnings[0].warning);
  EXPECT_THAT(fast.warnings[0].message, HasSubstr(text));
  EXPECT_FALSE(fast.warnings[0].action.empty());
  EXPECT_NE(fast.warnings[0].pc, nullptr);
  Strict strict;
  const LaunchReport forbidden = observed<body>(&strict, nullptr, task_type);
  ASSERT_EQ(forbidden.faults.size(), 1u);
  EXPECT_EQ(forbidden.faults[0].code, code);
  EXPECT_THAT(forbidden.faults[0].message, HasSubstr(text));
  EXPECT_TRUE(forbidden.warnings.empty());
}

// Checked tells it once as an error and goes on as the chip would, so that nothing follows from it.
template <KernelBody body>
void expect_told_alone(const char* code) {
  std::vector<int32_t> fast(64), judged(64);
  ASSERT_TRUE(observed<body>(nullptr, &fast).ok());
  Checked checked;
  const CheckedReport report = checked.take_report(observed<body>(&checked, &judged));
  ASSERT_EQ(report.findings.size(), 1u) << to_text(report, {});
  EXPECT_EQ(report.findings[0].code, code);
  EXPECT_EQ(report.errors(), 1u);
  EXPECT_EQ(judged, fast);
}

void fills_the_neighbour(void* const* args) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> first, second;
  pipe.InitBuffer(first, 64);
  pipe.InitBuffer(second, 64);
  Duplicate(second.Get<int32_t>(), 5, 16);
  for (int i = 0; i < 3; ++i) Duplicate(first.Get<int32_t>(), 9, 24);
  GlobalTensor<int32_t> out;
  out.SetGlobalBuffer(static_cast<int32_t*>(args[0]));
  PipeBarrier<PIPE_ALL>();
  DataCopy(out, second.Get<int32_t>(), 16);
}
TEST(Excess, LandsInTheNeighboursBuffer) {
  std::vector<int32_t> out(64);
  ASSERT_TRUE(observed<fills_the_neighbour>(nullptr, &out).ok());
  for (int i = 0; i < 16; ++i) EXPECT_EQ(out[i], i < 8 ? 9 : 5) << i;
  expect_told<fills_the_neighbour>("EK1002",
                                   "Duplicate: destination needs 96 bytes in UB, but its tensor");
  expect_told_alone<fills_the_neighbour>("EK1002");
}

// What a copy brings behind its tensor is there for whoever reads it, a length as here.
void copies_behind(void* const* args) {
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer(static_cast<int32_t*>(args[0]));
  LocalTensor<int32_t> lengths(TPosition::VECCALC, 0, 8), copied(TPosition::VECCALC, 1024, 64);
  Duplicate(LocalTensor<int32_t>(TPosition::VECCALC, 256, 16), 16, 16);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(gm, LocalTensor<int32_t>(TPosition::VECCALC, 256, 16), 16);
  PipeBarrier<PIPE_ALL>();
  DataCopy(lengths, gm, 16);
  PipeBarrier<PIPE_ALL>();
  const int32_t length = LocalTensor<int32_t>(TPosition::VECCALC, 32, 8).GetValue(0);
  Duplicate(copied, 7, length);
  PipeBarrier<PIPE_ALL>();
  DataCopy(gm[32], copied, length);
}
TEST(Excess, BringsLengthsToWhoReadsThem) { expect_told_alone<copies_behind>("EK1002"); }

void fills_behind_ub(void* const*) {
  Duplicate(LocalTensor<int32_t>(TPosition::VECCALC, 192 * 1024 - 64, 8), 1, 32);
}
TEST(Excess, EndsWhereTheMemoryEnds) {
  const LaunchReport report = observed<fills_behind_ub>(nullptr);
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].code, "EK1001");
}

void sets_behind(void* const* args) {
  const LocalTensor<int32_t> t(TPosition::VECCALC, 0, 8);
  t.SetValue(9, 77);
  static_cast<int32_t*>(args[0])[0] = LocalTensor<int32_t>(TPosition::VECCALC, 32, 8).GetValue(1);
}
void reads_behind_ub(void* const*) {
  LocalTensor<int32_t>(TPosition::VECCALC, 192 * 1024 - 32, 8).GetValue(8);
}
TEST(Excess, TakesScalarsInsideTheMemory) {
  std::vector<int32_t> out(64);
  ASSERT_TRUE(observed<sets_behind>(nullptr, &out).ok());
  EXPECT_EQ(out[0], 77);
  expect_told<sets_behind>("EK1007", "SetValue: index 9 is outside the tensor of 8 elements");
  expect_told_alone<sets_behind>("EK1007");
  EXPECT_EQ(observed<reads_behind_ub>(nullptr).faults.at(0).code, "EK1007");
}

void gathers_behind(void* const*) {
  const LocalTensor<uint32_t> offsets(TPosition::VECCALC, 1024, 64);
  Duplicate(offsets, uint32_t{512}, 64);
  Gather(LocalTensor<int32_t>(TPosition::VECCALC, 2048, 64),
         LocalTensor<int32_t>(TPosition::VECCALC, 0, 64), offsets, 0, 64);
}
TEST(Excess, TakesOffsetsInsideTheMemory) {
  expect_told<gathers_behind>("EK1208", "offset 512 reaches behind the source of 256 bytes");
  expect_told_alone<gathers_behind>("EK1208");
}

void gets_too_much(void* const*) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 64);
  Duplicate(buffer.Get<int32_t>(32), 1, 32);
}
void gets_more_than_ub(void* const*) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 64);
  buffer.Get<int32_t>(1u << 20);
}
TEST(Excess, TakesLongViews) {
  expect_told<gets_too_much>("EK1109", "TBuf::Get");
  EXPECT_EQ(observed<gets_more_than_ub>(nullptr).faults.at(0).code, "EK1001");
}

void fills_what_the_framework_keeps(void* const*) {
  if constexpr (g_coreType == AIC) return;
  if (detail::core()->kind == OPK_CORE_AIC) return;
  Duplicate(LocalTensor<int32_t>(TPosition::VECCALC, 192 * 1024 - 256, 64), 1, 64);
}
TEST(Excess, ReachesWhatMixedKernelsKeep) {
  expect_told<fills_what_the_framework_keeps>("EK1001", "of UB, which has 196352 bytes",
                                              OPK_TASK_MIX_1_1);
}

void fills_the_end_of_l1(void* const*) {
  InitConstValue(LocalTensor<half>(TPosition::A1, 512 * 1024 - 256, 128),
                 InitConstValueParams<half>(1, 8, 0, half(1.0f)));
}
void takes_all_of_l1(void* const*) {
  TPipe pipe;
  TBuf<TPosition::A1> buffer;
  pipe.InitBuffer(buffer, 512 * 1024);
}
void takes_more_than_l1(void* const*) {
  TPipe pipe;
  TBuf<TPosition::A1> buffer;
  pipe.InitBuffer(buffer, 512 * 1024 + 32);
  InitConstValue(buffer.Get<half>()[256 * 1024], InitConstValueParams<half>(1, 1, 0, half(1.0f)));
}
// TPipe does not offer the last 256 bytes of L1 (GetCoreMemSize), but the memory goes on there:
// static tensors may lie there, and buffers are told of.
TEST(Excess, EndOfL1IsMemoryToo) {
  const LaunchReport report = observed<fills_the_end_of_l1>(nullptr, nullptr, OPK_TASK_AIC_ONLY);
  EXPECT_TRUE(report.ok() && report.warnings.empty());
  const LaunchReport told = observed<takes_all_of_l1>(nullptr, nullptr, OPK_TASK_AIC_ONLY);
  EXPECT_TRUE(told.ok());
  EXPECT_EQ(told.warnings.at(0).code, "EK1101");
  Checked checked;
  const CheckedReport found =
      checked.take_report(observed<takes_all_of_l1>(&checked, nullptr, OPK_TASK_AIC_ONLY));
  ASSERT_EQ(found.findings.size(), 1u);
  EXPECT_TRUE(found.findings[0].warning);
  const LaunchReport refused = observed<takes_more_than_l1>(nullptr, nullptr, OPK_TASK_AIC_ONLY);
  EXPECT_EQ(refused.faults.at(0).code, "EK1101");
}

// On the chip TPipe hands out addresses and looks at no end.
void leaves_the_end_alone(void* const*) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> first, last;
  pipe.InitBuffer(first, 128 * 1024);
  pipe.InitBuffer(last, 100000);
  Duplicate(last.Get<float>(), 1.0f, 64);
}
void fills_behind_the_end(void* const*) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 200 * 1024);
  Duplicate(buffer.Get<float>()[48 * 1024], 1.0f, 64);
}
void sets_a_value_behind_the_end(void* const*) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 200 * 1024);
  buffer.Get<float>().SetValue(48 * 1024, 1.0f);
}
TEST(Excess, BuffersBehindTheEndAreJudgedWhenTheyAreTouched) {
  Checked checked;
  const LaunchReport fast = observed<leaves_the_end_alone>(nullptr);
  EXPECT_TRUE(fast.ok() && fast.warnings.empty());
  EXPECT_EQ(checked.take_report(observed<leaves_the_end_alone>(&checked)).errors(), 0u);
  for (const LaunchReport& report :
       {observed<fills_behind_the_end>(nullptr), observed<sets_a_value_behind_the_end>(nullptr)}) {
    ASSERT_EQ(report.faults.size(), 1u);
    EXPECT_EQ(report.faults[0].code, "EK1101");
    EXPECT_THAT(report.faults[0].message, HasSubstr("204800 bytes at byte 0 of UB overflow it"));
  }
}

void copies_half_a_block(void* const* args) {
  GlobalTensor<int4b_t> in;
  in.SetGlobalBuffer(static_cast<int4b_t*>(args[0]));
  DataCopy(LocalTensor<int4b_t>(TPosition::VECIN, 0, 64), in, 31);
}
// Page "DataCopy": count * sizeof(T) is rounded down to 32 bytes.
TEST(Excess, TellsOfCopiesOfNothing) {
  const LaunchReport fast = observed<copies_half_a_block>(nullptr);
  ASSERT_TRUE(fast.ok());
  EXPECT_EQ(fast.warnings.at(0).code, "EK1012");
  EXPECT_THAT(fast.warnings[0].message, HasSubstr("int4b_t"));
  Checked checked;
  const LaunchReport report = observed<copies_half_a_block>(&checked);
  const CheckedReport found = checked.take_report(report);
  ASSERT_EQ(found.findings.size(), 1u);
  EXPECT_EQ(found.findings[0].code, "EK1012");
  EXPECT_TRUE(found.findings[0].warning);
}

void takes_nothing_off(void* const* args) {
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer(static_cast<int32_t*>(args[0]));
  const LocalTensor<int32_t> x(TPosition::VECCALC, 0, 48), y(TPosition::VECCALC, 1024, 48);
  const LocalTensor<uint8_t> tmp(TPosition::VECCALC, 4096, 8192);
  DataCopy(x, gm, 48);
  PipeBarrier<PIPE_ALL>();
  UnPadTiling tiling{};
  tiling.srcHeight = 3;
  tiling.srcWidth = 16;
  UnPad(y, x, UnPadParams{0, 0}, tmp, tiling);
  PipeBarrier<PIPE_ALL>();
  DataCopy(gm[48], y, 48);
}
// Page "UnPad": rightPad is more than 0. Published kernels give 0 for rows of whole 32 bytes, and
// expect them as they are.
TEST(Excess, TellsOfUnPadWithNothingToTakeOff) {
  std::vector<int32_t> gm(96);
  for (size_t i = 0; i < 48; ++i) gm[i] = static_cast<int32_t>(i) + 5;
  const LaunchReport fast = observed<takes_nothing_off>(nullptr, &gm);
  ASSERT_TRUE(fast.ok());
  EXPECT_EQ(fast.warnings.at(0).code, "EK1805");
  EXPECT_EQ(std::vector<int32_t>(gm.begin(), gm.begin() + 48),
            std::vector<int32_t>(gm.begin() + 48, gm.end()));
  Checked checked;
  const LaunchReport report = observed<takes_nothing_off>(&checked, &gm);
  const CheckedReport found = checked.take_report(report);
  ASSERT_EQ(found.findings.size(), 1u);
  EXPECT_EQ(found.findings[0].code, "EK1805");
  EXPECT_TRUE(found.findings[0].warning);
}

void every_second_block(void* const*) {
  if (GetBlockIdx() % 2 == 1) Duplicate(LocalTensor<int32_t>(TPosition::VECCALC, 0, 8), 1, 16);
}
TEST(Excess, NamesTheFirstBlockWithAnyNumberOfThreads) {
  for (const unsigned threads : {1u, 2u}) {
    LaunchSetup setup;
    setup.blocks = 40;
    setup.threads = threads;
    const LaunchReport report = run<every_second_block>({}, setup);
    ASSERT_EQ(report.warnings.size(), 1u);
    EXPECT_EQ(report.warnings[0].block, 1u);
  }
}

void copied_pipe(void* const* args) {
  TPipe first;
  TBuf<TPosition::VECCALC> a, b;
  first.InitBuffer(a, 64);
  TPipe second;
  second = first;
  second.InitBuffer(b, 64);
  static_cast<int32_t*>(args[0])[0] = static_cast<int32_t>(b.Get<int32_t>().address_.bufferAddr);
}
TEST(TPipeCopy, GoesOnWhereTheOtherStands) {
  std::vector<int32_t> out(64);
  ASSERT_TRUE(observed<copied_pipe>(nullptr, &out).ok());
  EXPECT_EQ(out[0], 64);
}

}  // namespace
}  // namespace opkit::core::test
