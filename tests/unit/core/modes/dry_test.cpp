// Launches without arithmetic and without memory: the same times, the same findings, and a word
// where data decide.
#include "opkit/core/modes/dry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/core/modes/checked.h"
#include "opkit/core/modes/cover.h"
#include "opkit/core/modes/timed.h"
#include "tests/rates_910b1.h"
#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using testing::HasSubstr;

constexpr uint32_t kTile = 2048, kTiles = 16, kBlocks = 4;  // elements; floats
constexpr uint64_t kBytes = uint64_t{kTile} * kTiles * kBlocks * sizeof(float);

// z = x + 1, tile by tile; synchronised: with queues, as it should be.
template <bool synchronised>
void add_one(void* const* args) {
  const uint64_t begin = static_cast<uint64_t>(GetBlockIdx()) * kTile * kTiles;
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer(static_cast<float*>(args[0]) + begin, kTile * kTiles);
  z.SetGlobalBuffer(static_cast<float*>(args[1]) + begin, kTile * kTiles);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  pipe.InitBuffer(in, 2, kTile * sizeof(float));
  pipe.InitBuffer(out, 2, kTile * sizeof(float));
  for (uint32_t i = 0; i < kTiles; ++i) {
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, x[i * kTile], kTile);
    if (synchronised) {
      in.EnQue(a);
      a = in.DeQue<float>();
    }
    LocalTensor<float> b = out.AllocTensor<float>();
    Adds(b, a, 1.0f, kTile);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopy(z[i * kTile], b, kTile);
    out.FreeTensor(b);
    in.FreeTensor(a);
  }
}

// The tensors of a launch: real ones, or addresses where nothing lies.
struct Tensors {
  explicit Tensors(bool phantom) {
    if (phantom) {
      base[0] = reinterpret_cast<uint8_t*>(kPhantomGm);
      base[1] = base[0] + (uint64_t{1} << 40);
    } else {
      for (int i = 0; i < 2; ++i) {
        memory[i].resize(kBytes);
        base[i] = memory[i].data();
      }
    }
  }
  std::vector<GmRange> ranges() const {
    return {GmRange{base[0], kBytes, "x", false, false},
            GmRange{base[1], kBytes, "z", true, false, true}};
  }
  std::vector<uint8_t> memory[2];
  uint8_t* base[2] = {};
};

template <KernelBody body>
LaunchReport launch(const Tensors& tensors, Observer& observer, uint32_t blocks = kBlocks) {
  LaunchSetup setup;
  setup.blocks = blocks;
  setup.gm = tensors.ranges();
  setup.observer = &observer;
  return run<body>({tensors.base[0], tensors.base[1]}, setup);
}

TEST(Dry, TimesWithoutMemoryAreThoseOfTheRealLaunch) {
  Timed real{rates_910b1()}, modelled{rates_910b1()};
  ASSERT_TRUE(launch<add_one<true>>(Tensors(false), real).ok());
  const Tensors nothing(true);
  Dry dry(modelled, {.unbacked = nothing.ranges()});
  ASSERT_TRUE(launch<add_one<true>>(nothing, dry).ok());
  EXPECT_EQ(modelled.result().cycles, real.result().cycles);
  EXPECT_EQ(modelled.result().task_ns, real.result().task_ns);
  EXPECT_EQ(modelled.result().traffic.hbm_read, real.result().traffic.hbm_read);
  EXPECT_EQ(modelled.result().traffic.l2_write_misses, real.result().traffic.l2_write_misses);
  EXPECT_FALSE(dry.report().asked_for_data);
  EXPECT_EQ(dry.report().instructions, uint64_t{kBlocks} * kTiles * 3);
}

std::vector<std::string> codes(const CheckedReport& report) {
  std::vector<std::string> all;
  for (const Finding& finding : report.findings) all.push_back(finding.code);
  return all;
}

TEST(Dry, CheckedFindsTheSameRaceWithoutMemory) {
  Checked real, without;
  const auto report = launch<add_one<false>>(Tensors(false), real);
  const auto found = codes(real.take_report(report));
  ASSERT_FALSE(found.empty());
  const Tensors nothing(true);
  Dry dry(without, {.unbacked = nothing.ranges()});
  const auto again = launch<add_one<false>>(nothing, dry);
  EXPECT_EQ(codes(without.take_report(again)), found);
}

TEST(Dry, CheckedFindsNothingInACorrectKernelWithoutMemory) {
  Checked checked;
  const Tensors nothing(true);
  Dry dry(checked, {.unbacked = nothing.ranges()});
  const auto report = launch<add_one<true>>(nothing, dry);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(checked.take_report(report).errors(), 0u);
}

void behind_the_end(void* const* args) {
  GlobalTensor<float> z;
  z.SetGlobalBuffer(static_cast<float*>(args[1]) + kBytes / sizeof(float), kTile);
  LocalTensor<float> tile(TPosition::VECCALC, 0, kTile);
  DataCopy(z, tile, kTile);
}

TEST(Dry, BoundsAreCheckedWithoutMemory) {
  Checked checked;
  const Tensors nothing(true);
  Dry dry(checked, {.unbacked = nothing.ranges()});
  const auto report = launch<behind_the_end>(nothing, dry, 1);
  EXPECT_EQ(codes(checked.take_report(report)), std::vector<std::string>{"EK1004"});
}

// z = x at places that the kernel computes.
void gather(void* const* args) {
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer(static_cast<float*>(args[0]), kTile);
  z.SetGlobalBuffer(static_cast<float*>(args[1]), kTile);
  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out;
  TBuf<TPosition::VECCALC> places;
  pipe.InitBuffer(in, 1, kTile * sizeof(float));
  pipe.InitBuffer(out, 1, kTile * sizeof(float));
  pipe.InitBuffer(places, kTile * sizeof(int32_t));
  LocalTensor<int32_t> offsets = places.Get<int32_t>();
  CreateVecIndex(offsets, 0, kTile);
  Muls(offsets, offsets, static_cast<int32_t>(sizeof(float)), kTile);
  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, x, kTile);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Gather(b, a, offsets.ReinterpretCast<uint32_t>(), 0, kTile);
  in.FreeTensor(a);
  out.EnQue(b);
  b = out.DeQue<float>();
  DataCopy(z, b, kTile);
  out.FreeTensor(b);
}

TEST(Dry, OffsetsThatNothingComputedAreNotJudged) {
  Checked checked;
  const Tensors nothing(true);
  Dry dry(checked, {.unbacked = nothing.ranges()});
  const auto report = launch<gather>(nothing, dry, 1);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(checked.take_report(report).errors(), 0u);
  EXPECT_FALSE(dry.report().asked_for_data);
}

// Does its work when the value is positive.
template <int tensor>
void read_value(void* const* args) {
  GlobalTensor<float> x;
  x.SetGlobalBuffer(static_cast<float*>(args[tensor]), kTile);
  if (x.GetValue(3) > 0) add_one<true>(args);
}

void write_value(void* const* args) {
  GlobalTensor<float> z;
  z.SetGlobalBuffer(static_cast<float*>(args[1]), kTile);
  z.SetValue(3, 1.0f);
}

void refer_to_value(void* const* args) {
  GlobalTensor<float> z;
  z.SetGlobalBuffer(static_cast<float*>(args[1]), kTile);
  z(3) = 1.0f;
}

void follow_pointer(void* const* args) {
  if (static_cast<volatile float*>(args[0])[7] > 0) add_one<true>(args);
}

template <KernelBody body>
std::string needs() {
  Timed timed{rates_910b1()};
  const Tensors nothing(true);
  Dry dry(timed, {.unbacked = nothing.ranges()});
  const LaunchReport report = launch<body>(nothing, dry);
  EXPECT_EQ(report.faults.size(), 1u);
  if (report.ok()) return {};
  EXPECT_EQ(report.faults[0].code, "EK1604");
  EXPECT_THAT(report.faults[0].message, HasSubstr(dry.report().needs_data));
  EXPECT_EQ(report.faults[0].action, "run it on data");
  return dry.report().needs_data;
}

TEST(Dry, WhatDataDecideIsSaidNotGuessed) {
  EXPECT_EQ(needs<read_value<1>>(), "the kernel reads values of 'z' one by one");
  EXPECT_EQ(needs<refer_to_value>(), "the kernel reads values of 'z' one by one");
}

TEST(Dry, ValuesOfInputsAreMadeUp) {
  const Tensors nothing(true);
  const auto instructions = [&](DryAnswer answer) {
    Cover cover;
    Dry dry(cover, {.answer = answer, .unbacked = nothing.ranges()});
    EXPECT_TRUE(launch<read_value<0>>(nothing, dry).ok());
    EXPECT_TRUE(dry.report().asked_for_data);
    EXPECT_EQ(dry.report().needs_data, "");
    return dry.report().instructions;
  };
  EXPECT_EQ(instructions(DryAnswer::kZero), kBlocks);
  EXPECT_EQ(instructions(DryAnswer::kOne), kBlocks + uint64_t{kBlocks} * kTiles * 3);
  EXPECT_EQ(instructions(DryAnswer::kOnes), kBlocks);  // a NaN
}

TEST(Dry, ValuesThatAreWrittenAreWatched) {
  const Tensors nothing(true);
  Cover cover;
  Dry dry(cover, {.unbacked = nothing.ranges()});
  EXPECT_TRUE(launch<write_value>(nothing, dry, 1).ok());
  EXPECT_FALSE(dry.report().asked_for_data);
  EXPECT_EQ(cover.take_report().ranges[0].written, sizeof(float));
}

TEST(Dry, ARawPointerIntoNothingEndsTheLaunchNotTheProcess) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer looks at memory of its own before the pointer is followed";
#endif
  EXPECT_EQ(needs<follow_pointer>(), "the kernel touches GM through a pointer of its own");
  // And again: the handler left by a change of fibers.
  EXPECT_EQ(needs<follow_pointer>(), "the kernel touches GM through a pointer of its own");
}

void steer_by_ub(void* const* args) {
  LocalTensor<float> tile(TPosition::VECCALC, 0, kTile);
  Duplicate(tile, 1.0f, kTile);
  if (tile.GetValue(0) == 1.0f) add_one<true>(args);
}

TEST(Dry, ComputedValuesAreMadeUpAndThatIsSaid) {
  const Tensors nothing(true);
  const auto cycles = [&](DryAnswer answer) {
    Timed timed{rates_910b1()};
    Dry dry(timed, {.answer = answer, .unbacked = nothing.ranges()});
    EXPECT_TRUE(launch<steer_by_ub>(nothing, dry).ok());
    EXPECT_TRUE(dry.report().asked_for_data);
    return timed.result().cycles;
  };
  EXPECT_LT(cycles(DryAnswer::kZero), cycles(DryAnswer::kOne));
}

TEST(Dry, ALimitEndsEveryCoreAndPassesLaterBlocksBy) {
  Timed timed{rates_910b1()};
  const Tensors nothing(true);
  Dry dry(timed, {.unbacked = nothing.ranges(), .most_per_core = 6, .most = 12});
  const LaunchReport report = launch<add_one<true>>(nothing, dry);
  EXPECT_TRUE(report.ok());
  EXPECT_TRUE(dry.report().cut);
  EXPECT_EQ(dry.report().instructions, 12u);
  EXPECT_EQ(timed.result().cores.size(), 2u);
}

}  // namespace
}  // namespace opkit::core::test
