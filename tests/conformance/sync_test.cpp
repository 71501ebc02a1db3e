// Blocks that wait for each other, and atomic stores: what is in GM afterwards, against loops.
#include <gmock/gmock.h>

#include <numeric>

#include "opkit/include/kernel_operator.h"
#include "tests/conformance/blocks.h"
#include "tests/conformance/elementwise.h"

namespace conformance {
namespace {

using namespace AscendC;

constexpr uint32_t kMany = 40;  // blocks
const Blocks kAll{.count = kMany, .raw = true};

GlobalTensor<int32_t> words(int32_t* data) {
  GlobalTensor<int32_t> t;
  t.SetGlobalBuffer(data);
  return t;
}
int32_t sum_of(const int32_t* cells, int64_t n) { return std::accumulate(cells, cells + n, 0); }

// Everybody adds up what everybody wrote before the meeting.
void check_meeting(const std::function<void(int32_t* spare)>& meet) {
  const auto after = run_blocks<int32_t>(
      std::vector<int32_t>(3 * kMany * 8),
      [&](int32_t* gm) {
        const int64_t me = GetBlockIdx(), all = GetBlockNum();
        gm[me] = static_cast<int32_t>(me * me);
        meet(gm + 2 * kMany);
        gm[kMany + me] = sum_of(gm, all);
      },
      kAll);
  int32_t sum = 0;
  for (int32_t i = 0; i < static_cast<int32_t>(kMany); ++i) sum += i * i;
  for (uint32_t i = 0; i < kMany; ++i) ASSERT_EQ(after[kMany + i], sum) << i;
}

TEST(Sync, SyncAllMeetsEveryBlock) {
  check_meeting([](int32_t*) { SyncAll(); });
  check_meeting([](int32_t* spare) { SyncAll(words(spare), at<int32_t>(0, 32 * kMany)); });
  check_meeting([](int32_t* spare) { SyncAll(words(spare), at<int32_t>(0, 32 * kMany), kMany); });
}

// The first cores meet three times, each adding up what all of them wrote; the others go on.
TEST(Sync, SoftSyncAllOfTheFirstCores) {
  constexpr int32_t kUsed = 5, kRounds = 3;
  for (const int32_t task : {OPK_TASK_AIV_ONLY, OPK_TASK_MIX_1_2}) {
    const auto after = run_blocks<int32_t>(std::vector<int32_t>(128),
                                           [](int32_t* gm) {
                                             if (detail::core()->kind == OPK_CORE_AIC) return;
                                             const auto me = static_cast<int32_t>(GetBlockIdx());
                                             if (me >= kUsed) return;
                                             for (int32_t round = 0; round < kRounds; ++round) {
                                               gm[round * kUsed + me] = 10 * round + me;
                                               SyncAll(words(gm + 64), at<int32_t>(0, 64), kUsed);
                                               gm[32 + round * kUsed + me] =
                                                   sum_of(gm + round * kUsed, kUsed);
                                             }
                                           },
                                           {.count = 8, .task_type = task, .raw = true});
    for (int32_t i = 0; i < kRounds * kUsed; ++i)
      EXPECT_EQ(after[static_cast<size_t>(32 + i)], 50 * (i / kUsed) + 10) << i;
    EXPECT_EQ(sum_of(after.data() + 64, 64), 0);
  }
}

// Names all vector cores of a mixed launch, as is allowed: GetBlockNum() * GetTaskRation() (page
// "SyncAll").
TEST(Sync, SoftSyncAllOfAMixedLaunch) {
  const auto after =
      run_blocks<int32_t>(std::vector<int32_t>(80),
                          [](int32_t* gm) {
                            if (detail::core()->kind == OPK_CORE_AIC) return;
                            gm[GetBlockIdx()] = 1;
                            SyncAll(words(gm + 16), at<int32_t>(0, 64),
                                    static_cast<int32_t>(GetBlockNum() * GetTaskRation()));
                            gm[8 + GetBlockIdx()] = sum_of(gm, 8);
                          },
                          {.count = 4, .task_type = OPK_TASK_MIX_1_2, .raw = true});
  EXPECT_THAT(std::vector<int32_t>(after.begin() + 8, after.begin() + 16), testing::Each(8));
}

// Blocks 0 to 2 write, 3 to 8 read, for three rounds.
TEST(Sync, GroupsOfCoresWaitForEachOther) {
  constexpr int32_t kArrive = 3, kWait = 6, kRounds = 3, kCells = 128;
  alignas(512) static uint8_t workspace[512 * kWait];
  const auto after = run_blocks<int32_t>(
      std::vector<int32_t>(kCells),
      [&](int32_t* gm) {
        if (GetBlockIdx() == 0) std::memset(workspace, 0, sizeof workspace);
        SyncAll();
        GroupBarrier<PipeMode::MTE3_MODE> barrier(workspace, kArrive, kWait);
        EXPECT_EQ(barrier.GetWorkspaceLen(), 512u * kWait);
        const auto me = static_cast<int32_t>(GetBlockIdx());
        for (int32_t round = 0; round < kRounds; ++round) {
          if (me < kArrive) {
            gm[round * kArrive + me] = 10 * round + me;
            barrier.Arrive(static_cast<uint32_t>(me));
          } else {
            barrier.Wait(static_cast<uint32_t>(me - kArrive));
            gm[16 + round * kWait + me - kArrive] = sum_of(gm + round * kArrive, kArrive);
          }
        }
      },
      {.count = kArrive + kWait, .raw = true});
  for (int32_t round = 0; round < kRounds; ++round) {
    for (int32_t w = 0; w < kWait; ++w)
      EXPECT_EQ(after[16 + round * kWait + w], 30 * round + 3) << round << " " << w;
  }
}

TEST(Sync, GroupBarrierRefusesBadIndices) {
  const auto outcome = run_blocks(std::vector<uint8_t>(2048),
                                  [](uint8_t* gm) {
                                    gm += (512 - reinterpret_cast<uint64_t>(gm) % 512) % 512;
                                    GroupBarrier<PipeMode::MTE3_MODE> barrier(gm, 1, 1);
                                    barrier.Arrive(1);
                                  },
                                  {.raw = true});
  ASSERT_EQ(outcome.faults.size(), 1u);
  EXPECT_EQ(outcome.faults[0].code, "EK1504");
  EXPECT_EQ(outcome.faults[0].message, "GroupBarrier::Arrive: the index is not below arriveSize");
}

TEST(Sync, CrossCoreFlagsOfModeZero) {
  check_meeting([](int32_t*) {
    CrossCoreSetFlag<0x0, PIPE_MTE3>(3);
    CrossCoreWaitFlag(3);
  });
}

// A cube core and its two vector cores; sums go over all three.
template <typename Set, typename Wait>
void check_hand_over(Set set, Wait wait) {
  const auto after = run_blocks<int32_t>(
      std::vector<int32_t>(4 * 10),
      [&](int32_t* gm) {
        const bool cube = detail::core()->kind == OPK_CORE_AIC;
        int32_t* mine = gm + 4 * (cube ? GetBlockIdx() : GetBlockIdx() / GetSubBlockNum());
        if (cube) {
          mine[0] = static_cast<int32_t>(10 * GetBlockIdx());
          set(3);
          wait(4);
          mine[3] = mine[1] + mine[2];
        } else {
          wait(3);
          EXPECT_EQ(GetTaskRation(), 2);
          EXPECT_EQ(GetSubBlockNum(), 2);
          mine[1 + GetSubBlockIdx()] = mine[0] + static_cast<int32_t>(GetSubBlockIdx());
          set(4);
        }
      },
      {.count = 10, .task_type = OPK_TASK_MIX_1_2, .raw = true});
  for (int32_t b = 0; b < 10; ++b) EXPECT_EQ(after[static_cast<size_t>(4 * b + 3)], 20 * b + 1);
}

TEST(Sync, CrossCoreFlagsOfModeTwo) {
  check_hand_over([](uint16_t id) { CrossCoreSetFlag<0x2, PIPE_FIX>(id); },
                  [](uint16_t id) { CrossCoreWaitFlag<0x2>(id); });
}

TEST(Sync, EventsBetweenCubeAndVector) {
  check_hand_over([](uint16_t id) { NotifyEvent<PIPE_MTE3>(id); },
                  [](uint16_t id) { WaitEvent(id); });
}

// SyncAll<false> meets cube and vector cores alike.
TEST(Sync, SyncAllOfBothKinds) {
  const auto after = run_blocks<int32_t>(std::vector<int32_t>(60),
                                         [](int32_t* gm) {
                                           const bool cube = detail::core()->kind == OPK_CORE_AIC;
                                           const int64_t me =
                                               cube ? 20 + GetBlockIdx() : GetBlockIdx();
                                           gm[me] = 1;
                                           SyncAll<false>();
                                           gm[30 + me] = sum_of(gm, 30);
                                         },
                                         {.count = 10, .task_type = OPK_TASK_MIX_1_2, .raw = true});
  EXPECT_THAT(std::vector<int32_t>(after.begin() + 30, after.end()), testing::Each(30));
}

// SyncAll<true> is among vector cores. Cube cores that call it, too, as published kernels do
// outside of ASCEND_IS_AIV, meet among themselves and stand for no vector core.
TEST(Sync, SyncAllOfVectorCoresThatCubeCoresCallToo) {
  constexpr int32_t kBlocks = 10, kRounds = 3;
  for (const int32_t task : {OPK_TASK_MIX_1_1, OPK_TASK_MIX_1_2}) {
    const int32_t vectors = task == OPK_TASK_MIX_1_2 ? 2 * kBlocks : kBlocks;
    const auto after =
        run_blocks<int32_t>(std::vector<int32_t>(400),
                            [=](int32_t* gm) {
                              const bool cube = detail::core()->kind == OPK_CORE_AIC;
                              const int32_t all = cube ? kBlocks : vectors;
                              int32_t* cells = gm + (cube ? 300 : 0);
                              const auto me = static_cast<int32_t>(GetBlockIdx());
                              for (int32_t round = 0; round < kRounds; ++round) {
                                cells[round * all + me] = 1;
                                SyncAll<true>();
                                if (!cube)
                                  gm[100 + round * all + me] = sum_of(cells + round * all, all);
                                if (cube)
                                  gm[200 + round * all + me] = sum_of(cells + round * all, all);
                              }
                            },
                            {.count = kBlocks, .task_type = task, .raw = true});
    for (int32_t i = 0; i < kRounds * vectors; ++i)
      ASSERT_EQ(after[static_cast<size_t>(100 + i)], vectors) << i;
    for (int32_t i = 0; i < kRounds * kBlocks; ++i)
      ASSERT_EQ(after[static_cast<size_t>(200 + i)], kBlocks) << i;
  }
}

TEST(Sync, SyncAllOfACubeKernel) {
  const auto after =
      run_blocks<int32_t>(std::vector<int32_t>(20),
                          [](int32_t* gm) {
                            gm[GetBlockIdx()] = 1;
                            SyncAll();
                            gm[10 + GetBlockIdx()] = sum_of(gm, 10);
                          },
                          {.count = 10, .task_type = OPK_TASK_AIC_ONLY, .raw = true});
  EXPECT_THAT(std::vector<int32_t>(after.begin() + 10, after.end()), testing::Each(10));
}

// Calls that synchronise through GM pass a cube core by, wherever they stand.
TEST(Sync, CallsThroughMemoryThatCubeCoresCallToo) {
  constexpr int32_t kBlocks = 4, kCores = 2 * kBlocks;
  const auto after =
      run_blocks<int32_t>(std::vector<int32_t>(400),
                          [](int32_t* gm) {
                            const auto me = static_cast<int32_t>(GetBlockIdx());
                            const bool vector = detail::core()->kind == OPK_CORE_AIV;
                            const LocalTensor<int32_t> ub = at<int32_t>(0, 320);
                            const GlobalTensor<int32_t> flags = words(gm + 200);
                            if (vector) gm[me] = 1;
                            SyncAll(words(gm + 300), ub);
                            if (vector) gm[10 + me] = sum_of(gm, kCores);
                            if (vector) gm[20 + me] = 1;
                            if (me < 3) SyncAll(words(gm + 300), ub, 3);
                            if (vector && me < 3) gm[30 + me] = sum_of(gm + 20, 3);
                            if (me > 0) IBWait(flags, ub, me - 1, 0);
                            if (vector) gm[40 + me] = me > 0 ? gm[40 + me - 1] + 1 : 1;
                            if (me + 1 < kCores) IBSet(flags, ub, me, 0);
                          },
                          {.count = kBlocks, .task_type = OPK_TASK_MIX_1_2, .raw = true});
  for (int32_t i = 0; i < kCores; ++i) {
    EXPECT_EQ(after[static_cast<size_t>(10 + i)], kCores) << i;
    EXPECT_EQ(after[static_cast<size_t>(40 + i)], i + 1) << i;
  }
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(after[30 + i], 3) << i;
}

TEST(Sync, TurnsThatCubeCoresCallToo) {
  constexpr int32_t kBlocks = 4;
  const auto after =
      run_blocks<int32_t>(std::vector<int32_t>(32 + 8 * kBlocks),
                          [](int32_t* gm) {
                            GlobalTensor<int32_t> work = words(gm + 32);
                            LocalTensor<int32_t> ub = at<int32_t>(0, 320);
                            InitDetermineComputeWorkspace(work, ub);
                            WaitPreBlock(work, ub);
                            if (detail::core()->kind == OPK_CORE_AIV)
                              gm[1 + gm[0]++] = static_cast<int32_t>(GetBlockIdx());
                            NotifyNextBlock(work, ub);
                          },
                          {.count = kBlocks, .task_type = OPK_TASK_MIX_1_2, .raw = true});
  for (int32_t i = 0; i < 2 * kBlocks; ++i) EXPECT_EQ(after[static_cast<size_t>(1 + i)], i);
}

// Each block waits for the one before it and passes on its running sum.
TEST(Sync, PointToPointChain) {
  const auto after = run_blocks<int32_t>(
      std::vector<int32_t>(kMany + kMany * 8),
      [](int32_t* gm) {
        const int32_t me = static_cast<int32_t>(GetBlockIdx());
        const GlobalTensor<int32_t> flags = words(gm + kMany);
        if (me > 0) IBWait(flags, at<int32_t>(0, 32), me - 1, 0);
        gm[me] = (me > 0 ? gm[me - 1] : 0) + me;
        if (me + 1 < static_cast<int32_t>(kMany)) IBSet(flags, at<int32_t>(0, 32), me, 0);
      },
      kAll);
  for (int32_t i = 0; i < static_cast<int32_t>(kMany); ++i)
    ASSERT_EQ(after[static_cast<size_t>(i)], i * (i + 1) / 2);
}

// In a mixed kernel an event has two words per block: event 0 of core 3 is not event 1 of core 1
// (page "IBSet").
TEST(Sync, PointToPointOfAMixedLaunch) {
  const auto after = run_blocks<int32_t>(std::vector<int32_t>(64),
                                         [](int32_t* gm) {
                                           if (detail::core()->kind == OPK_CORE_AIC) return;
                                           const int64_t me = GetBlockIdx();
                                           if (me == 3)
                                             IBSet<false>(words(gm), at<int32_t>(0, 32), 3, 0);
                                           if (me == 1)
                                             IBSet<false>(words(gm), at<int32_t>(0, 32), 1, 1);
                                         },
                                         {.count = 2, .task_type = OPK_TASK_MIX_1_2, .raw = true});
  std::vector<int32_t> expected(64);
  expected[3 * 8] = expected[(4 + 1) * 8] = 1;
  EXPECT_EQ(after, expected);
}

// Blocks in turn append their number.
TEST(Sync, BlocksInTurn) {
  const auto after = run_blocks<int32_t>(
      std::vector<int32_t>(1 + kMany + 8 * kMany),
      [](int32_t* gm) {
        GlobalTensor<int32_t> work = words(gm + 1 + kMany);
        LocalTensor<int32_t> ub = at<int32_t>(0, 320);
        InitDetermineComputeWorkspace(work, ub);
        WaitPreBlock(work, ub);
        gm[1 + gm[0]++] = static_cast<int32_t>(GetBlockIdx());
        NotifyNextBlock(work, ub);
      },
      kAll);
  for (int32_t i = 0; i < static_cast<int32_t>(kMany); ++i)
    ASSERT_EQ(after[static_cast<size_t>(1 + i)], i);
}

// Turn after turn, as for the tiles of the page "InitDetermineComputeWorkspace"; the work memory
// has 32 bytes per block and need not be zero.
TEST(Sync, BlocksInTurnForSeveralTiles) {
  constexpr int32_t kTiles = 3, kBlocks = 4;
  for (const int32_t task : {OPK_TASK_AIV_ONLY, OPK_TASK_MIX_1_2}) {
    const int32_t cores = task == OPK_TASK_MIX_1_2 ? 2 * kBlocks : kBlocks;
    std::vector<int32_t> before(32 + 8 * kBlocks, 77);
    before[0] = 0;
    const auto after = run_blocks<int32_t>(before,
                                           [](int32_t* gm) {
                                             if (detail::core()->kind == OPK_CORE_AIC) return;
                                             GlobalTensor<int32_t> work = words(gm + 32);
                                             LocalTensor<int32_t> ub = at<int32_t>(0, 320);
                                             InitDetermineComputeWorkspace(work, ub);
                                             for (int32_t tile = 0; tile < kTiles; ++tile) {
                                               WaitPreBlock(work, ub);
                                               gm[1 + gm[0]++] =
                                                   static_cast<int32_t>(GetBlockIdx());
                                               NotifyNextBlock(work, ub);
                                             }
                                           },
                                           {.count = kBlocks, .task_type = task, .raw = true});
    for (int32_t i = 0; i < kTiles * cores; ++i)
      EXPECT_EQ(after[static_cast<size_t>(1 + i)], i % cores) << i;
  }
}

// Flags and barriers order pipes; executed in program order they change nothing, and Checked finds
// nothing missing (conformance_checked runs this test, too).
TEST(Sync, FlagsAndBarriersOrderPipes) {
  std::vector<int32_t> expected(128);
  std::iota(expected.begin(), expected.end(), 0);
  std::vector<int32_t> before = expected;
  for (size_t i = 0; i < 64; ++i) expected[64 + i] = expected[i] * 4;
  const auto after = run_blocks<int32_t>(before, [](int32_t* gm) {
    LocalTensor<int32_t> t = at<int32_t>(0, 256);
    TQueSync<PIPE_MTE2, PIPE_V> loaded;
    DataCopy(t, words(gm), 64);
    loaded.SetFlag(0);
    loaded.WaitFlag(0);
    Add(t, t, t, 64);
    PipeBarrier<PIPE_V>();
    Add(t, t, t, 64);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID1);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID1);
    DataCopy(words(gm + 64), t, 64);
    PipeBarrier<PIPE_ALL>();
    DataSyncBarrier<MemDsbT::ALL>();
    SetNextTaskStart();
    WaitPreTaskEnd();
    SetSyncBaseAddr(0);
  });
  EXPECT_EQ(after, expected);
}

template <typename T>
T combined(opk_atomic op, T a, T b) {
  if (op == OPK_ATOMIC_ADD) return static_cast<T>(a + b);
  if (op == OPK_ATOMIC_MAX) return a < b ? b : a;
  return b < a ? b : a;
}

// Every block stores its row into the same row; the twin combines them in the order of blocks.
template <typename T>
void check_atomics(opk_atomic op, const std::function<void()>& set) {
  constexpr uint32_t kElements = 64, kBlocks = 5;
  std::vector<T> gm = values<T>(kElements * (kBlocks + 1), 21, false);
  std::vector<T> expected = gm;
  for (uint32_t b = 1; b <= kBlocks; ++b) {
    for (uint32_t i = 0; i < kElements; ++i)
      expected[i] = combined<T>(op, expected[i], gm[b * kElements + i]);
  }
  const auto after =
      run_blocks<T>(gm,
                    [&](T* data) {
                      GlobalTensor<T> row, sum;
                      row.SetGlobalBuffer(data + (GetBlockIdx() + 1) * kElements);
                      sum.SetGlobalBuffer(data);
                      DataCopy(at<T>(0, 256), row, kElements);
                      PipeBarrier<PIPE_ALL>();
                      set();
                      DataCopy(sum, at<T>(0, 256), kElements);
                      PipeBarrier<PIPE_ALL>();
                      SetAtomicNone();
                      DataCopy(row, at<T>(0, 256), kElements);  // a plain store again
                    },
                    {.count = kBlocks});
  for (uint32_t i = 0; i < after.size(); ++i) ASSERT_EQ(after[i], expected[i]) << op << " at " << i;
}

template <typename T>
void check_every_atomic() {
  check_atomics<T>(OPK_ATOMIC_ADD, [] { SetAtomicAdd<T>(); });
  check_atomics<T>(OPK_ATOMIC_MAX, [] { SetAtomicMax<T>(); });
  check_atomics<T>(OPK_ATOMIC_MIN, [] { SetAtomicMin<T>(); });
  // The operation stays, the type changes.
  check_atomics<T>(OPK_ATOMIC_MAX, [] {
    SetAtomicMax<float>();
    SetAtomicType<T>();
  });
}

TEST(Atomics, EveryOperationOverEveryType) {
  check_every_atomic<int8_t>();
  check_every_atomic<int16_t>();
  check_every_atomic<int32_t>();
  check_every_atomic<float>();
  check_every_atomic<Half>();
  check_every_atomic<BFloat16>();
}

TEST(Atomics, ConfiguredByOneCall) {
  check_atomics<Half>(OPK_ATOMIC_ADD, [] {
    SetStoreAtomicConfig<AtomicDtype::ATOMIC_F16, AtomicOp::ATOMIC_SUM>();
  });
  const auto after =
      run_blocks<int32_t>(std::vector<int32_t>(4),
                          [](int32_t* gm) {
                            uint16_t type = 9, op = 9;
                            SetStoreAtomicConfig<AtomicDtype::ATOMIC_S32, AtomicOp::ATOMIC_SUM>();
                            GetStoreAtomicConfig(type, op);
                            gm[0] = type * 10 + op;
                            SetAtomicAdd<bfloat16_t>();
                            GetStoreAtomicConfig(type, op);
                            gm[1] = type * 10 + op;
                            SetStoreAtomicConfig<AtomicDtype::ATOMIC_NONE, AtomicOp::ATOMIC_SUM>();
                            GetStoreAtomicConfig(type, op);
                            gm[2] = type * 10 + op;
                            gm[3] = static_cast<int32_t>(detail::core()->atomic);
                          },
                          {.raw = true});
  EXPECT_THAT(after, testing::ElementsAre(40, 60, 0, 0));
}

TEST(Atomics, DisableDmaAtomicEndsThem) {
  const auto after = run_blocks<int32_t>(std::vector<int32_t>(8, 3), [](int32_t* gm) {
    SetAtomicAdd<int32_t>();
    DisableDmaAtomic();
    Duplicate(at<int32_t>(0, 32), 5, 8);
    PipeBarrier<PIPE_ALL>();
    DataCopy(words(gm), at<int32_t>(0, 32), 8);
  });
  EXPECT_THAT(after, testing::Each(5));
}

// Each block looks at GM until the next one has written, the last one writes first: more blocks
// than host threads, of which the first begin.
TEST(Atomics, ABlockThatPollsLetsTheOthersWrite) {
  constexpr uint32_t kBlocks = 20;
  for (const bool by_pass : {true, false}) {
    const auto after = run_blocks<int32_t>(
        std::vector<int32_t>(8 * (kBlocks + 1), 0),
        [&](int32_t* gm) {
          const int64_t block = GetBlockIdx();
          int32_t* mine = gm + 8 * block;
          GlobalTensor<int32_t> next;
          next.SetGlobalBuffer(mine + 8, 8);
          const auto seen = [&] {
            if (by_pass) return ReadGmByPassDCache(mine + 8);
            DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(
                next);
            return next.GetValue(0);
          };
          while (block + 1 < kBlocks && seen() == 0) {
          }
          WriteGmByPassDCache(mine, *(mine + 8) + 1);
        },
        {.count = kBlocks, .raw = true});
    for (uint32_t block = 0; block < kBlocks; ++block)
      EXPECT_EQ(after[8 * block], static_cast<int32_t>(kBlocks - block));
  }
}

// What a block waits for in a loop of its own will not come when another one has ended with a
// fault.
TEST(Atomics, ABlockThatPollsEndsWithTheLaunch) {
  const auto outcome =
      run_blocks(std::vector<uint8_t>(1024),
                 [](uint8_t* gm) {
                   auto* flag = reinterpret_cast<int32_t*>(gm);
                   if (GetBlockIdx() == 1)
                     detail::core()->isa->fault(detail::core(), "EK1504", "given up");
                   while (ReadGmByPassDCache(flag) == 0) {
                   }
                 },
                 {.count = 3, .raw = true});
  ASSERT_EQ(outcome.faults.size(), 1u);
  EXPECT_EQ(outcome.faults[0].message, "given up");
}

// Scalar accesses are coherent here: what the cache calls would make visible is visible.
TEST(Atomics, CachesAreCoherent) {
  const auto after = run_blocks<int32_t>(
      std::vector<int32_t>(32, 1),
      [](int32_t* gm) {
        GlobalTensor<int32_t> t = words(gm);
        GlobalTensor<uint64_t> lines;
        lines.SetGlobalBuffer(reinterpret_cast<uint64_t*>(gm));
        DataCachePreload(lines, int64_t{0});
        ICachePreLoad(1);
        EXPECT_EQ(GetICachePreloadStatus(), 0);
        t.SetValue(0, 41);
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(t);
        WriteGmByPassDCache(gm + 1, ReadGmByPassDCache(gm) + 1);
        DataCopy(at<int32_t>(0, 32), t, 8);
        PipeBarrier<PIPE_ALL>();
        DataCopy(t[8], at<int32_t>(0, 32), 8);
      },
      {.raw = true});
  EXPECT_EQ(after[8] * 100 + after[9], 4142);
}

}  // namespace
}  // namespace conformance
