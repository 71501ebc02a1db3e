#include "opkit/core/modes/timed.h"
#include "opkit/soc/arch.h"

#include <gtest/gtest.h>

#include <functional>

#include "kernel_operator.h"
#include "opkit/core/machine.h"
#include "tests/rates_910b1.h"

namespace opkit::core {
namespace {

using namespace AscendC;

constexpr uint32_t kTile = 2048, kTiles = 8, kBytes = kTile * 4;

std::function<void(uint8_t* const* gm)> body;

void enter(opk_core* core, void* const* args) {
  AscendC::detail::current = core;
  body(reinterpret_cast<uint8_t* const*>(args));
}

opk_soc_v1 chip() {
  opk_soc_v1 soc = {};
  soc.struct_size = sizeof soc;
  soc.npu_arch = 2201;
  soc.arch = &opkit::find_arch(2201).value()->table();
  soc.name = soc.short_name = "test";
  soc.cube_core_num = 2;
  soc.vector_core_num = 4;
  soc.split = 1;
  const uint64_t sizes[] = {1ull << 30, 196608, 524288, 65536, 65536, 131072, 1024, 2048};
  std::copy(std::begin(sizes), std::end(sizes), soc.memory_size);
  return soc;
}

TimedResult run(uint32_t blocks, std::function<void(uint8_t* const* gm)> kernel,
                TimedOptions options = {}, uint32_t vector_cores = 4) {
  static const opk_soc_v1 soc = chip();
  static Machine machine(soc, 1);
  std::vector<float> x(kTile * kTiles * 4, 1.0f), z(kTile * kTiles * 4);
  void* args[] = {x.data(), z.data()};
  const GmRange ranges[] = {{reinterpret_cast<uint8_t*>(x.data()), x.size() * 4, "x", false, false},
                            {reinterpret_cast<uint8_t*>(z.data()), z.size() * 4, "z", true, false}};
  TimingRates rates = rates_910b1();
  rates.vector_cores = vector_cores;
  opk_kernel_v1 code = {};
  code.struct_size = sizeof code;
  code.name = "kernel";
  code.task_type = OPK_TASK_AIV_ONLY;
  code.aiv = enter;
  Timed timed(rates, options);
  LaunchRequest request;
  request.kernel = &code;
  request.block_dim = blocks;
  request.args = args;
  request.gm = ranges;
  request.gm_count = 2;
  request.observer = &timed;
  body = std::move(kernel);
  const LaunchReport report = machine.launch(request);
  EXPECT_TRUE(report.ok());
  return timed.result();
}

void add_tiles(uint8_t* const* gm, uint32_t buffers, uint32_t tile = kTile,
               uint32_t tiles = kTiles) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer(reinterpret_cast<float*>(gm[0]));
  z.SetGlobalBuffer(reinterpret_cast<float*>(gm[1]));
  pipe.InitBuffer(in, static_cast<uint8_t>(buffers), tile * 4);
  pipe.InitBuffer(out, static_cast<uint8_t>(buffers), tile * 4);
  for (uint32_t i = 0; i < tiles; ++i) {
    auto loaded = in.AllocTensor<float>();
    DataCopy(loaded, x[i * tile], tile);
    in.EnQue(loaded);
    auto source = in.DeQue<float>();
    auto made = out.AllocTensor<float>();
    Add(made, source, source, static_cast<int32_t>(tile));
    in.FreeTensor(source);
    out.EnQue(made);
    auto ready = out.DeQue<float>();
    DataCopy(z[i * tile], ready, tile);
    out.FreeTensor(ready);
  }
}

TEST(Timed, DoubleBufferingOverlapsByItself) {
  const auto one = run(1, [](uint8_t* const* gm) { add_tiles(gm, 1); });
  const auto two = run(1, [](uint8_t* const* gm) { add_tiles(gm, 2); });
  EXPECT_LT(two.cycles, one.cycles);
  EXPECT_EQ(two.traffic.gm_to_ub, uint64_t{kTiles} * kBytes);
  EXPECT_EQ(two.traffic.ub_to_gm, uint64_t{kTiles} * kBytes);
  // With one buffer V and MTE2 take turns.
  EXPECT_GT(one.cores[0].pipes[4].waiting_for[1], two.cores[0].pipes[4].waiting_for[1]);
}

TEST(Timed, EveryTensorHasItsBytes) {
  const auto result = run(2, [](uint8_t* const* gm) { add_tiles(gm, 2); });
  ASSERT_EQ(result.tensors.size(), 2u);
  EXPECT_EQ(result.tensors[0].name, "x");
  EXPECT_EQ(result.tensors[0].read, uint64_t{2} * kTiles * kBytes);
  EXPECT_EQ(result.tensors[0].written, 0u);
  EXPECT_EQ(result.tensors[1].name, "z");
  EXPECT_EQ(result.tensors[1].read, 0u);
  EXPECT_EQ(result.tensors[1].written, uint64_t{2} * kTiles * kBytes);
}

TEST(Timed, LargeTilesAreFasterThanSmallOnes) {
  const auto small = run(1, [](uint8_t* const* gm) { add_tiles(gm, 2, kTile / 16, kTiles * 16); });
  const auto large = run(1, [](uint8_t* const* gm) { add_tiles(gm, 2); });
  EXPECT_GT(small.cycles, large.cycles * 5 / 4);
  EXPECT_EQ(small.traffic.gm_to_ub, large.traffic.gm_to_ub);
}

TEST(Timed, ResultsAreTheSameEveryTime) {
  const auto kernel = [](uint8_t* const* gm) { add_tiles(gm, 2); };
  const auto a = run(3, kernel), b = run(3, kernel);
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.task_ns, b.task_ns);
  for (size_t i = 0; i < a.cores.size(); ++i) EXPECT_EQ(a.cores[i].end, b.cores[i].end);
}

TEST(Timed, BlocksBeyondTheCoresRunInWaves) {
  const auto kernel = [](uint8_t* const* gm) { add_tiles(gm, 2); };
  const auto four = run(4, kernel), five = run(5, kernel);
  ASSERT_EQ(five.cores.size(), 5u);
  EXPECT_GT(five.cores[4].start, 0u);
  EXPECT_GT(five.cycles, four.cycles * 3 / 2);
  EXPECT_NEAR(five.task_ns - four.task_ns, (five.cycles - four.cycles) * 1021.0 / 1850, 2);
}

TEST(Timed, CoresShareHbm) {
  TimedOptions options;
  const auto kernel = [](uint8_t* const* gm) { add_tiles(gm, 2); };
  const auto few = run(8, kernel, options, 8), many = run(64, kernel, options, 64);
  EXPECT_GT(many.cycles, few.cycles);
}

TEST(Timed, WhatWasReadIsFoundInL2) {
  const auto once = run(1, [](uint8_t* const* gm) { add_tiles(gm, 2); });
  TimedOptions warm;
  warm.warm_runs = 1;
  const auto again = run(
      1, [](uint8_t* const* gm) { add_tiles(gm, 2); }, warm);
  EXPECT_EQ(once.traffic.hbm_read, uint64_t{kTiles} * kBytes);
  EXPECT_EQ(again.traffic.hbm_read, 0u);
  EXPECT_LT(again.cycles, once.cycles);
  TimedOptions uncached = warm;
  uncached.uncached = {"x"};
  const auto bypass = run(
      1, [](uint8_t* const* gm) { add_tiles(gm, 2); }, uncached);
  EXPECT_EQ(bypass.traffic.hbm_read, uint64_t{kTiles} * kBytes);
}

// Guide, GM accesses: a copy is split into requests of 128, 256 or 512 bytes, and what does not
// start or end at one is rounded up; the profiler counts one read per 128 bytes.
TimedResult read_rows(uint32_t offset, uint16_t rows, uint32_t bytes, uint32_t gap,
                      TimedOptions options = {}) {
  return run(
      1,
      [=](uint8_t* const* gm) {
        LocalTensor<uint8_t> t(TPosition::VECIN, 0, 131072);
        GlobalTensor<uint8_t> x;
        x.SetGlobalBuffer(gm[0] + offset);
        DataCopyPad(t, x, DataCopyExtParams(rows, bytes, gap, 0, 0),
                    DataCopyPadExtParams<uint8_t>(false, 0, 0, 0));
      },
      options);
}

TEST(Timed, ShortAndUnalignedRowsMoveWholeRequests) {
  TimedOptions uncached;
  uncached.uncached = {"x"};
  struct Rows {
    uint32_t offset, bytes, gap, sectors;
  };
  for (const Rows& r : {Rows{0, 128, 384, 1}, Rows{0, 32, 480, 1}, Rows{96, 128, 384, 2},
                        Rows{32, 512, 512, 5}, Rows{0, 520, 504, 5}}) {
    const Traffic cached = read_rows(r.offset, 8, r.bytes, r.gap).traffic;
    EXPECT_EQ(cached.l2_read_misses, 8 * r.sectors) << r.bytes;
    EXPECT_EQ(cached.hbm_read, 8 * r.sectors * 128) << r.bytes;
    const Traffic past = read_rows(r.offset, 8, r.bytes, r.gap, uncached).traffic;
    EXPECT_EQ(past.hbm_read, 8 * r.sectors * 128) << r.bytes;
  }
  const TimingRates rates = rates_910b1();
  const uint64_t aligned = read_rows(0, 32, 512, 512).cycles;
  EXPECT_EQ(read_rows(32, 32, 512, 512).cycles - aligned, 32 * 128 / rates.gm_read);
}

TEST(Timed, NoRequestOfALongCopyIsCountedTwice) {
  const Traffic traffic = read_rows(32, 1, 65536, 0).traffic;
  EXPECT_EQ(traffic.l2_read_misses, 513u);
  EXPECT_EQ(traffic.l2_read_hits, 0u);
}

// Guide, "GM addresses at 512 bytes": where it matters most, copies that start at 32 bytes reach
// 70 % of the bandwidth of those that start at 512.
TEST(Timed, UnalignedCopiesLoseAtMostThirtyPercent) {
  for (const uint32_t bytes : {1024u, 2048u, 8192u, 65536u}) {
    const uint64_t aligned = read_rows(0, 1, bytes, 0).cycles;
    const uint64_t unaligned = read_rows(32, 1, bytes, 0).cycles;
    EXPECT_GT(unaligned, aligned) << bytes;
    EXPECT_LE(unaligned * 7, aligned * 10) << bytes;
  }
}

// The profiler's vec time is the time in which V has an instruction in execution: one that a
// barrier waits for is in execution until its results are there.
TEST(Timed, AVectorInstructionIsBusyUntilABarrierHasItsResults) {
  constexpr uint64_t kSteps = 20, kRepeats = 8;
  const auto result = run(1, [](uint8_t* const*) {
    LocalTensor<float> a(TPosition::VECCALC, 0, 512), b(TPosition::VECCALC, 65792, 512);
    for (uint64_t i = 0; i < kSteps; ++i) {
      Adds(b, a, 1.0f, 512);
      PipeBarrier<PIPE_V>();
    }
  });
  const TimingRates rates = rates_910b1();
  EXPECT_EQ(result.cores[0].pipes[1].busy,
            kSteps * (kRepeats + rates.vector_head + rates.vector_barrier));
}

// 1 / (1 + e^-x) by the basic instructions costs what the call of the advanced API costs, which the
// engine computes in one step.
TEST(Timed, CallsOfSeveralStepsCostAllOfThem) {
  static constexpr int32_t kCount = 512;
  const auto busy = [](void (*kernel)(LocalTensor<float>, LocalTensor<float>)) {
    const auto result = run(1, [kernel](uint8_t* const*) {
      kernel(LocalTensor<float>(TPosition::VECCALC, 65792, kCount),
             LocalTensor<float>(TPosition::VECCALC, 0, kCount));
    });
    return result.cores[0].pipes[1].busy;
  };
  const auto by_hand = busy([](LocalTensor<float> z, LocalTensor<float> x) {
    Muls(z, x, -1.0f, kCount);
    PipeBarrier<PIPE_V>();
    Exp(z, x, kCount);
    PipeBarrier<PIPE_V>();
    Adds(z, x, 1.0f, kCount);
    PipeBarrier<PIPE_V>();
    Sqrt(z, x, kCount);  // is as slow as Div, without a second source's banks
  });
  const auto sigmoid =
      busy([](LocalTensor<float> z, LocalTensor<float> x) { Sigmoid(z, x, kCount); });
  EXPECT_EQ(sigmoid, by_hand);
  const auto exp = busy([](LocalTensor<float> z, LocalTensor<float> x) { Exp(z, x, kCount); });
  for (const auto dearer :
       {busy([](LocalTensor<float> z, LocalTensor<float> x) { Tanh(z, x, kCount); }),
        busy([](LocalTensor<float> z, LocalTensor<float> x) { Erf(z, x, kCount); }),
        busy([](LocalTensor<float> z, LocalTensor<float> x) { Sin(z, x, kCount); }),
        busy([](LocalTensor<float> z, LocalTensor<float> x) { Log2(z, x, kCount); })})
    EXPECT_GT(dearer, exp);
  EXPECT_EQ(busy([](LocalTensor<float> z, LocalTensor<float> x) { Floor(z, x, kCount); }),
            busy([](LocalTensor<float> z, LocalTensor<float> x) { Abs(z, x, kCount); }));
}

TEST(Timed, FlagsCarryTime) {
  LocalTensor<float> t(TPosition::VECIN, 0, kTile), u(TPosition::VECOUT, 65536, kTile);
  const auto kernel = [=](bool ordered) {
    return [=](uint8_t* const* gm) {
      GlobalTensor<float> x;
      x.SetGlobalBuffer(reinterpret_cast<float*>(gm[0]));
      DataCopy(t, x, kTile);
      if (ordered) SetFlag<HardEvent::MTE2_V>(0);
      if (ordered) WaitFlag<HardEvent::MTE2_V>(0);
      Duplicate(u, 1.0f, static_cast<int32_t>(kTile));
    };
  };
  const auto apart = run(1, kernel(false)), after = run(1, kernel(true));
  const uint64_t vector = apart.cores[0].pipes[1].busy;
  EXPECT_GT(vector, 0u);
  EXPECT_GE(after.cycles, apart.cycles + vector);
  EXPECT_GT(after.cores[0].pipes[1].waiting_for[4], 0u);
}

// 16 repeats of Mul whose sources meet in the first one; the results lie in other banks.
uint64_t conflicts_of(uint8_t block_stride, uint8_t repeat_stride) {
  const auto result = run(1, [=](uint8_t* const*) {
    LocalTensor<float> a(TPosition::VECCALC, 0, 1024), b(TPosition::VECCALC, 32768, 1024);
    LocalTensor<float> c(TPosition::VECCALC, 65536, 1024);
    Mul(c, a, b, uint64_t{64}, 16, BinaryRepeatParams(1, 1, block_stride, 8, 8, repeat_stride));
  });
  return result.traffic.bank_conflict_cycles;
}

// Page "bank conflicts": a source with block stride 0 is read once per repeat, one with repeat
// stride 0 once for all; sources conflict in the repeats in which they meet in a group of banks.
TEST(Timed, SourcesConflictInTheRepeatsInWhichTheyMeet) {
  EXPECT_EQ(conflicts_of(1, 8), 16u);
  EXPECT_EQ(conflicts_of(0, 1), 8u);  // lets the other source pass eight of 16 groups at a time
  EXPECT_EQ(conflicts_of(1, 0), 1u);
  EXPECT_EQ(conflicts_of(0, 0), 1u);
}

TEST(Timed, SyncAllMakesEverybodyWaitForTheLast) {
  const auto result = run(2, [](uint8_t* const* gm) {
    if (GetBlockIdx() == 1) add_tiles(gm, 1);
    SyncAll();
  });
  EXPECT_EQ(result.cores[0].end, result.cores[1].end);
  EXPECT_GT(result.cores[0].pipes[0].waiting_for_cores, result.cores[1].pipes[0].waiting_for_cores);
}

TEST(Timed, ManyRoundsBetweenCores) {
  constexpr int kRounds = 20000;
  const auto result = run(2, [](uint8_t* const*) {
    for (int i = 0; i < kRounds; ++i) SyncAll();
  });
  const TimingRates& rates = rates_910b1();
  EXPECT_GE(result.cycles, uint64_t{kRounds} * rates.sync_all);
  EXPECT_EQ(result.cores[0].end, result.cores[1].end);
}

TEST(Timed, SpansLieInsideTheirCoreAndDoNotOverlap) {
  TimedOptions options;
  options.spans = true;
  const auto result = run(
      2, [](uint8_t* const* gm) { add_tiles(gm, 2); }, options);
  ASSERT_FALSE(result.spans.empty());
  std::map<std::pair<uint32_t, uint8_t>, uint64_t> last_start;
  for (const Span& span : result.spans) {
    EXPECT_LE(span.start, span.end);
    EXPECT_LE(span.end, result.cores[span.core].end);
    uint64_t& before = last_start[{span.core, span.pipe}];
    EXPECT_GE(span.start, before);
    before = span.start;
  }
}

TEST(Timed, TheL2HintReachesTheModel) {
  TimedOptions warm;
  warm.warm_runs = 1;
  const auto kernel = [](CacheMode mode) {
    return [=](uint8_t* const* gm) {
      LocalTensor<float> t(TPosition::VECIN, 0, kTile);
      GlobalTensor<float> x;
      x.SetGlobalBuffer(reinterpret_cast<float*>(gm[0]));
      x.SetL2CacheHint(mode);
      DataCopy(t, x[kTile], kTile);
    };
  };
  EXPECT_EQ(run(1, kernel(CacheMode::CACHE_MODE_NORMAL), warm).traffic.hbm_read, 0u);
  EXPECT_EQ(run(1, kernel(CacheMode::CACHE_MODE_DISABLE), warm).traffic.hbm_read, kBytes);
}

TEST(Timed, TheSystemCounterRunsAtFiftyMegahertz) {
  int64_t before = -1, after = -1;
  const auto result = run(1, [&](uint8_t* const* gm) {
    before = GetSystemCycle();
    add_tiles(gm, 2);
    PipeBarrier<PIPE_ALL>();
    after = GetSystemCycle();
  });
  EXPECT_EQ(before, 0);
  EXPECT_EQ(after, static_cast<int64_t>(result.cycles * 50 / 1850));
}

}  // namespace
}  // namespace opkit::core
