// A kernel that relies on an order that nothing enforces gives other bits under some seed; a
// correct one gives the same bits under every seed, number of threads and mode.
#include "opkit/core/modes/reorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "opkit/core/modes/checked.h"
#include "opkit/core/modes/timed.h"
#include "tests/rates_910b1.h"
#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

constexpr uint32_t kTile = 512, kTiles = 6, kBlocks = 5, kAll = kTile * kTiles * kBlocks;
constexpr uint64_t kSeeds = 24;

using Bits = std::vector<uint8_t>;

struct Way {
  uint64_t seed = 0;
  unsigned threads = 1;
  Observer* observer = nullptr;
};

// x: 1, 2, 3, ...; y: 0.5, 1, 1.5, ...; z starts poisoned; w is a workspace of zeros.
Bits run_body(opk_kernel_fn vector, opk_kernel_fn cube, const Way& way, uint32_t blocks = kBlocks) {
  const opk_soc_v1 soc = soc_910b();
  Machine machine(soc, way.threads);
  std::vector<float> x(kAll), y(kAll), w(kAll, 0.0f);
  for (uint32_t i = 0; i < kAll; ++i) x[i] = static_cast<float>(i + 1), y[i] = x[i] / 2;
  Bits z(kAll * sizeof(float), 0xff);
  void* args[] = {x.data(), y.data(), z.data(), w.data()};
  const auto range = [](const void* p, bool writable, const char* name, bool defined) {
    return GmRange{static_cast<const uint8_t*>(p), kAll * 4, name, writable, defined};
  };
  const GmRange gm[] = {range(x.data(), false, "x", true), range(y.data(), false, "y", true),
                        range(z.data(), true, "z", false), range(w.data(), true, "w", true)};
  opk_kernel_v1 kernel{};
  kernel.struct_size = sizeof kernel;
  kernel.task_type = cube ? OPK_TASK_MIX_1_2 : OPK_TASK_AIV_ONLY;
  kernel.aiv = vector;
  kernel.aic = cube;
  LaunchRequest request;
  request.kernel = &kernel;
  request.block_dim = blocks;
  request.args = args;
  request.gm = gm;
  request.gm_count = 4;
  request.observer = way.observer;
  request.schedule_seed = way.seed;
  const LaunchReport report = machine.launch(request);
  EXPECT_TRUE(report.ok()) << report.faults[0].message;
  return z;
}

template <KernelBody body>
Bits bits(const Way& way = {}) {
  return run_body(entry<body>, nullptr, way);
}

template <KernelBody body>
bool some_seed_differs() {
  const Bits expected = bits<body>();
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    if (bits<body>({seed}) != expected) return true;
  }
  return false;
}

void expect_same_everywhere(const std::function<Bits(const Way&)>& run) {
  const Bits expected = run({});
  for (unsigned threads : {2u, 4u}) EXPECT_EQ(run({0, threads}), expected) << threads << " threads";
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    ASSERT_EQ(run({seed, 1 + static_cast<unsigned>(seed % 3)}), expected) << "seed " << seed;
    Timed timed{rates_910b1()};
    ASSERT_EQ(run({seed, 1, &timed}), expected) << "timed, seed " << seed;
    Checked checked;
    ASSERT_EQ(run({seed, 1, &checked}), expected) << "checked, seed " << seed;
    const CheckedReport report = checked.take_report({});
    EXPECT_EQ(report.errors(), 0u) << to_text(report, [](const void*) { return ""; });
  }
}

struct Ends {
  GlobalTensor<float> x, y, z, w;
  explicit Ends(void* const* args) {
    const uint64_t first = static_cast<uint64_t>(GetBlockIdx()) * kTile * kTiles;
    x.SetGlobalBuffer(static_cast<float*>(args[0]) + first, kTile * kTiles);
    y.SetGlobalBuffer(static_cast<float*>(args[1]) + first, kTile * kTiles);
    z.SetGlobalBuffer(static_cast<float*>(args[2]) + first, kTile * kTiles);
    w.SetGlobalBuffer(static_cast<float*>(args[3]));
  }
};

LocalTensor<float> place(uint32_t i) {
  return LocalTensor<float>(TPosition::VECCALC, i * kTile * 4, kTile);
}

enum Missing { kNothing, kLoadToAdd, kAddToStore, kAddToLoad, kStoreToAdd };

// z = x + x, tile by tile through one pair of buffers, with flags.
template <Missing missing>
void with_flags(void* const* args) {
  Ends g(args);
  for (uint32_t i = 0; i < kTiles; ++i) {
    if (i > 0 && missing != kAddToLoad) WaitFlag<HardEvent::V_MTE2>(0);
    DataCopy(place(0), g.x[i * kTile], kTile);
    if (missing != kLoadToAdd) {
      SetFlag<HardEvent::MTE2_V>(0);
      WaitFlag<HardEvent::MTE2_V>(0);
    }
    if (i > 0 && missing != kStoreToAdd) WaitFlag<HardEvent::MTE3_V>(0);
    Add(place(1), place(0), place(0), static_cast<int32_t>(kTile));
    if (i + 1 < kTiles && missing != kAddToLoad) SetFlag<HardEvent::V_MTE2>(0);
    if (missing != kAddToStore) {
      SetFlag<HardEvent::V_MTE3>(0);
      WaitFlag<HardEvent::V_MTE3>(0);
    }
    DataCopy(g.z[i * kTile], place(1), kTile);
    if (i + 1 < kTiles && missing != kStoreToAdd) SetFlag<HardEvent::MTE3_V>(0);
  }
}

TEST(Reorder, EveryMissingFlagOfAPipelineShows) {
  EXPECT_TRUE(some_seed_differs<with_flags<kLoadToAdd>>());
  EXPECT_TRUE(some_seed_differs<with_flags<kAddToStore>>());
  EXPECT_TRUE(some_seed_differs<with_flags<kAddToLoad>>());
  EXPECT_TRUE(some_seed_differs<with_flags<kStoreToAdd>>());
}

TEST(Reorder, ThePipelineWithAllItsFlagsGivesTheSameBits) {
  expect_same_everywhere([](const Way& way) { return bits<with_flags<kNothing>>(way); });
}

TEST(Reorder, AFaultyKernelGivesTheSameBitsForTheSameSeed) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    const Bits once = bits<with_flags<kAddToLoad>>({seed, 1});
    EXPECT_EQ((bits<with_flags<kAddToLoad>>({seed, 4})), once) << "seed " << seed;
  }
}

void with_queues(void* const* args) {
  Ends g(args);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  TBuf<TPosition::VECCALC> extra;
  pipe.InitBuffer(in, 2, kTile * 8);
  pipe.InitBuffer(out, 2, kTile * 4);
  pipe.InitBuffer(extra, kTile * 4);
  for (uint32_t i = 0; i < kTiles; ++i) {
    auto both = in.AllocTensor<float>();
    DataCopy(both, g.x[i * kTile], kTile);
    DataCopy(both[kTile], g.y[i * kTile], kTile);
    in.EnQue(both);
    both = in.DeQue<float>();
    auto made = out.AllocTensor<float>();
    auto room = extra.Get<float>();
    Mul(room, both, both[kTile], static_cast<int32_t>(kTile));
    Add(made, room, both, static_cast<int32_t>(kTile));
    made.SetValue(3, room.GetValue(5) + 1.0f);
    ReduceSum(room, made, room, static_cast<int32_t>(kTile));
    Adds(made, made, room.GetValue(0), static_cast<int32_t>(kTile));
    in.FreeTensor(both);
    out.EnQue(made);
    made = out.DeQue<float>();
    DataCopy(g.z[i * kTile], made, kTile);
    out.FreeTensor(made);
  }
}

TEST(Reorder, QueuesScalarsAndReductionsAreOrdered) {
  expect_same_everywhere([](const Way& way) { return bits<with_queues>(way); });
}

// The mask register is a setting of S: what was issued under it keeps it.
void with_masks(void* const* args) {
  Ends g(args);
  for (uint32_t i = 0; i < kTiles; ++i) {
    DataCopy(place(2 * i), g.x[i * kTile], kTile);
    SetFlag<HardEvent::MTE2_V>(static_cast<int32_t>(i));
    WaitFlag<HardEvent::MTE2_V>(static_cast<int32_t>(i));
    Duplicate(place(2 * i + 1), 0.0f, static_cast<int32_t>(kTile));
    SetMaskNorm();
    SetVectorMask<float, MaskMode::NORMAL>(0, (uint64_t{1} << (8 * i + 3)) - 1);
    Adds<float, false>(place(2 * i + 1), place(2 * i), 1.0f, MASK_PLACEHOLDER, kTile / 64,
                       {1, 1, 8, 8});
    ResetMask();
    SetFlag<HardEvent::V_MTE3>(static_cast<int32_t>(i));
    WaitFlag<HardEvent::V_MTE3>(static_cast<int32_t>(i));
    DataCopy(g.z[i * kTile], place(2 * i + 1), kTile);
  }
}

TEST(Reorder, InstructionsKeepTheRegistersTheyWereIssuedUnder) {
  expect_same_everywhere([](const Way& way) { return bits<with_masks>(way); });
}

// Every block writes its part of w and then reads its neighbour's.
template <bool synchronised>
void neighbours(void* const* args) {
  Ends g(args);
  const auto me = static_cast<uint32_t>(GetBlockIdx()), other = (me + 1) % kBlocks;
  DataCopy(place(0), g.x, kTile);
  SetFlag<HardEvent::MTE2_MTE3>(0);
  WaitFlag<HardEvent::MTE2_MTE3>(0);
  DataCopy(g.w[me * kTile], place(0), kTile);
  if (synchronised) SyncAll();
  DataCopy(place(1), g.w[other * kTile], kTile);
  SetFlag<HardEvent::MTE2_MTE3>(1);
  WaitFlag<HardEvent::MTE2_MTE3>(1);
  DataCopy(g.z, place(1), kTile);
}

TEST(Reorder, BlocksThatMustMeetButDoNotShow) {
  EXPECT_TRUE(some_seed_differs<neighbours<false>>());
  expect_same_everywhere([](const Way& way) { return bits<neighbours<true>>(way); });
}

// Two copies of one MTE to the same bytes.
template <bool barrier>
void written_twice(void* const* args) {
  Ends g(args);
  DataCopy(place(0), g.x, kTile);
  if (barrier) PipeBarrier<PIPE_MTE2>();
  DataCopy(place(0), g.y, kTile);
  SetFlag<HardEvent::MTE2_MTE3>(0);
  WaitFlag<HardEvent::MTE2_MTE3>(0);
  DataCopy(g.z, place(0), kTile);
}

TEST(Reorder, CopiesOfOnePipeNeedABarrier) {
  EXPECT_TRUE(some_seed_differs<written_twice<false>>());
  expect_same_everywhere([](const Way& way) { return bits<written_twice<true>>(way); });
}

// What local memory holds from somewhere else must not look like a value.
void reads_what_nobody_wrote(void* const* args) {
  Ends g(args);
  Adds(place(0), place(9), 1.0f, static_cast<int32_t>(kTile));
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(g.z, place(0), kTile);
}

TEST(Reorder, LocalMemoriesStartPoisoned) {
  float first;
  const Bits z = bits<reads_what_nobody_wrote>({1});
  std::memcpy(&first, z.data(), sizeof first);
  EXPECT_TRUE(first != first);
}

// Both vector cores of a block give w values, the cube core passes them on through flags.
template <bool wait>
void vector_half(void* const* args) {
  const auto lane = static_cast<uint64_t>(GetBlockIdx());
  GlobalTensor<float> x, w, z;
  x.SetGlobalBuffer(static_cast<float*>(args[0]) + lane * kTile, kTile);
  w.SetGlobalBuffer(static_cast<float*>(args[3]), kAll);
  z.SetGlobalBuffer(static_cast<float*>(args[2]) + lane * kTile, kTile);
  DataCopy(place(0), x, kTile);
  SetFlag<HardEvent::MTE2_MTE3>(0);
  WaitFlag<HardEvent::MTE2_MTE3>(0);
  DataCopy(w[lane * kTile], place(0), kTile);
  CrossCoreSetFlag<1, PIPE_MTE3>(5);
  if (wait) CrossCoreWaitFlag(5);
  DataCopy(place(1), w[(lane ^ 1) * kTile], kTile);
  SetFlag<HardEvent::MTE2_MTE3>(1);
  WaitFlag<HardEvent::MTE2_MTE3>(1);
  DataCopy(z, place(1), kTile);
  CrossCoreSetFlag<2, PIPE_MTE3>(6);
}
void cube_half(void* const*) { CrossCoreWaitFlag(6); }

template <bool wait>
Bits mixed(const Way& way) {
  return run_body(entry<vector_half<wait>>, entry<cube_half>, way, 2);
}

TEST(Reorder, CrossCoreFlagsOrderTheWorkOfTheirPipe) {
  expect_same_everywhere(mixed<true>);
  bool differs = false;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed)
    differs |= mixed<false>({seed}) != mixed<true>({});
  EXPECT_TRUE(differs);
}

// A vector core reads what one of another block has written; the cube cores call SyncAll, too.
template <bool synchronised>
void vector_neighbours(void* const* args) {
  GlobalTensor<float> x, w, z;
  x.SetGlobalBuffer(static_cast<float*>(args[0]), kAll);
  w.SetGlobalBuffer(static_cast<float*>(args[3]), kAll);
  z.SetGlobalBuffer(static_cast<float*>(args[2]), kAll);
  const auto me = static_cast<uint32_t>(GetBlockIdx()), other = (me + 3) % (2 * kBlocks);
  DataCopy(place(0), x[me * kTile], kTile);
  SetFlag<HardEvent::MTE2_MTE3>(0);
  WaitFlag<HardEvent::MTE2_MTE3>(0);
  DataCopy(w[me * kTile], place(0), kTile);
  if (synchronised) SyncAll<true>();
  DataCopy(place(1), w[other * kTile], kTile);
  SetFlag<HardEvent::MTE2_MTE3>(1);
  WaitFlag<HardEvent::MTE2_MTE3>(1);
  DataCopy(z[me * kTile], place(1), kTile);
}
void cubes_meet(void* const*) { SyncAll<true>(); }

template <bool synchronised>
Bits mixed_neighbours(const Way& way) {
  return run_body(entry<vector_neighbours<synchronised>>, entry<cubes_meet>, way);
}

TEST(Reorder, SyncAllOfVectorCoresHoldsThemWhenCubeCoresCallItToo) {
  expect_same_everywhere(mixed_neighbours<true>);
  bool differs = false;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed)
    differs |= mixed_neighbours<false>({seed}) != mixed_neighbours<true>({});
  EXPECT_TRUE(differs);
}

// z = x backwards; the offsets are computed just before, the count of what is packed comes of them.
template <Missing missing>
void backwards(void* const* args) {
  Ends g(args);
  const LocalTensor<int32_t> offsets = place(1).ReinterpretCast<int32_t>();
  const LocalTensor<uint32_t> packed = place(3).ReinterpretCast<uint32_t>();
  DataCopy(place(0), g.x, kTile);
  if (missing != kLoadToAdd) {
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
  }
  CreateVecIndex(offsets, 0, kTile);
  Muls(offsets, offsets, -4, static_cast<int32_t>(kTile));
  Adds(offsets, offsets, static_cast<int32_t>(4 * (kTile - 1)), static_cast<int32_t>(kTile));
  uint64_t kept = 0;
  GatherMask(packed, offsets.ReinterpretCast<uint32_t>(), static_cast<uint8_t>(7), true, kTile,
             {1, 1, 8, 0}, kept);
  SetVectorMask<float, MaskMode::NORMAL>(~uint64_t{0}, ~uint64_t{0});
  Gather(place(2), place(0), packed, 0u, static_cast<uint32_t>(kept));
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(g.z, place(2), kTile);
}

TEST(Reorder, GatherTakesItsOffsetsWhenItTakesEffect) {
  expect_same_everywhere([](const Way& way) { return bits<backwards<kNothing>>(way); });
  EXPECT_TRUE(some_seed_differs<backwards<kLoadToAdd>>());
}

// The offsets of the second Gather are written, through references, where the first one reads its.
void offsets_by_reference(void* const* args) {
  Ends g(args);
  const LocalTensor<uint32_t> offsets = place(1).ReinterpretCast<uint32_t>();
  DataCopy(place(0), g.x, kTile);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  for (uint32_t half = 0; half < 2; ++half) {
    for (uint32_t i = 0; i < 64; ++i) offsets(i) = 4 * (half == 0 ? i : 100 - i);
    Gather(place(2)[half * 64], place(0), offsets, 0u, 64u);
  }
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(g.z, place(2), 128);
}

TEST(Reorder, WhatIsWrittenThroughAReferenceWaitsForWhoReadsIt) {
  expect_same_everywhere([](const Way& way) { return bits<offsets_by_reference>(way); });
}

void third_block_fails(void* const*) {
  if (GetBlockIdx() >= 3) ascendc_assert(GetBlockIdx() < 3, "late");
}
void some_stay_away(void* const*) {
  if (GetBlockIdx() != 2) SyncAll();
}

TEST(Reorder, FaultsAndDeadlocksAreThoseOfProgramOrder) {
  const opk_soc_v1 soc = soc_910b();
  Machine machine(soc, 2);
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    opk_kernel_v1 kernel{};
    LaunchRequest request;
    request.kernel = &kernel;
    request.block_dim = 9;
    request.schedule_seed = seed;
    kernel.aiv = entry<third_block_fails>;
    LaunchReport report = machine.launch(request);
    ASSERT_EQ(report.faults.size(), 1u);
    EXPECT_EQ(report.faults[0].block, 3u);
    kernel.aiv = entry<some_stay_away>;
    report = machine.launch(request);
    ASSERT_EQ(report.faults.size(), 8u);
    EXPECT_EQ(report.faults[0].code, "EK1501");
  }
}

void expect_same_times(const TimedResult& a, const TimedResult& b) {
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.task_ns, b.task_ns);
  ASSERT_EQ(a.cores.size(), b.cores.size());
  for (size_t i = 0; i < a.cores.size(); ++i) {
    EXPECT_EQ(a.cores[i].block, b.cores[i].block);
    EXPECT_EQ(a.cores[i].end, b.cores[i].end);
    EXPECT_EQ(std::memcmp(&a.cores[i].traffic, &b.cores[i].traffic, sizeof(Traffic)), 0);
    EXPECT_EQ(std::memcmp(&a.cores[i].pipes, &b.cores[i].pipes, sizeof a.cores[i].pipes), 0);
  }
  ASSERT_EQ(a.instructions.size(), b.instructions.size());
  for (const auto& [key, sum] : a.instructions) {
    EXPECT_EQ(sum.cycles, b.instructions.at(key).cycles);
    EXPECT_EQ(sum.bytes, b.instructions.at(key).bytes);
  }
}

TEST(Reorder, CountersDoNotDependOnThreadsOrSeed) {
  Timed first{rates_910b1()}, mixed_first{rates_910b1()};
  bits<with_queues>({0, 1, &first});
  mixed<true>({0, 1, &mixed_first});
  EXPECT_GT(first.result().traffic.gm_to_ub, 0u);
  for (unsigned threads : {1u, 2u, 5u}) {
    for (uint64_t seed : {0, 1, 2, 3}) {
      Timed again{rates_910b1()};
      bits<with_queues>({seed, threads, &again});
      expect_same_times(first.result(), again.result());
      mixed<true>({seed, threads, &again});
      expect_same_times(mixed_first.result(), again.result());
    }
  }
}

}  // namespace
}  // namespace opkit::core::test
