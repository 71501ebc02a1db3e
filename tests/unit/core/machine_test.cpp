#include "opkit/core/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xmmintrin.h>

#include <cmath>
#include <numeric>

#include "opkit/abi/aicpu.h"
#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::HasSubstr;

void write_index(void* const* args) {
  GlobalTensor<int32_t> out;
  out.SetGlobalBuffer(static_cast<int32_t*>(args[0]));
  out.SetValue(static_cast<uint64_t>(GetBlockIdx()),
               static_cast<int32_t>(GetBlockIdx() + 100 * GetBlockNum()));
}

TEST(Machine, RunsEveryBlockOnceForAnyNumberOfThreads) {
  for (unsigned threads : {1u, 2u, 5u}) {
    std::vector<int32_t> out(1000, 0);
    LaunchSetup setup;
    setup.blocks = 1000;
    setup.threads = threads;
    EXPECT_TRUE(run<write_index>({out.data()}, setup).ok());
    for (int32_t i = 0; i < 1000; ++i) ASSERT_EQ(out[static_cast<size_t>(i)], i + 100000);
  }
}

TEST(Machine, IsUsedAgainWithoutTraces) {
  const opk_soc_v1 soc = soc_910b();
  Machine machine(soc, 2);
  opk_kernel_v1 kernel{};
  kernel.aiv = entry<write_index>;
  std::vector<int32_t> out(64);
  void* args[] = {out.data()};
  for (uint32_t blocks = 1; blocks <= 64; ++blocks) {
    LaunchRequest request;
    request.kernel = &kernel;
    request.block_dim = blocks;
    request.args = args;
    ASSERT_TRUE(machine.launch(request).ok());
    ASSERT_EQ(out[blocks - 1], static_cast<int32_t>(blocks - 1 + 100 * blocks));
  }
}

// Each block adds its index to a cell, everybody waits, then each reads the whole.
void sum_across(void* const* args) {
  auto* cells = static_cast<int32_t*>(args[0]);
  auto* sums = static_cast<int32_t*>(args[1]);
  cells[GetBlockIdx()] = static_cast<int32_t>(GetBlockIdx());
  SyncAll();
  int32_t sum = 0;
  for (int64_t i = 0; i < GetBlockNum(); ++i) sum += cells[i];
  SyncAll();
  sums[GetBlockIdx()] = sum;
}

TEST(Machine, SyncAllWaitsForMoreBlocksThanThreads) {
  for (unsigned threads : {1u, 2u, 3u}) {
    std::vector<int32_t> cells(96, -1000), sums(96);
    LaunchSetup setup;
    setup.blocks = 96;
    setup.threads = threads;
    ASSERT_TRUE(run<sum_across>({cells.data(), sums.data()}, setup).ok());
    for (int32_t sum : sums) ASSERT_EQ(sum, 95 * 96 / 2);
  }
}

void some_stay_away(void* const*) {
  if (GetBlockIdx() != 2) SyncAll();
}

TEST(Machine, DeadlockNamesEveryCoreAndItsReason) {
  for (unsigned threads : {1u, 2u}) {
    LaunchSetup setup;
    setup.blocks = 4;
    setup.threads = threads;
    const LaunchReport report = run<some_stay_away>({}, setup);
    ASSERT_EQ(report.faults.size(), 3u);
    const uint32_t blocks[] = {0, 1, 3};
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(report.faults[i].code, "EK1501");
      EXPECT_EQ(report.faults[i].block, blocks[i]);
      EXPECT_THAT(
          report.faults[i].message,
          HasSubstr("deadlock: block " + std::to_string(blocks[i]) +
                    " waits in SyncAll, which nobody will give: block 2 has not come to it"));
    }
  }
}

void one_core_sets(void* const*) {
  if (GetSubBlockIdx() == 0) CrossCoreSetFlag<2, PIPE_MTE3>(1);
}
void cube_waits(void* const*) { CrossCoreWaitFlag(1); }

TEST(Machine, DeadlockNamesWhoHasSetAFlagAndWhoHasNot) {
  LaunchSetup setup;
  setup.task_type = OPK_TASK_MIX_1_2;
  const LaunchReport report = run<one_core_sets, cube_waits>({}, setup);
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].message,
            "deadlock: block 0 cube core waits for cross-core flag 1, which nobody will give: "
            "block 0 vector core 1 has not set it (mode 2), block 0 vector core 0 has");
  EXPECT_NE(report.faults[0].other_pc, nullptr);
}

void most_cores_report(void* const*) {
  if (GetBlockIdx() != 3) CrossCoreSetFlag<0, PIPE_MTE3>(1);
  if (GetBlockIdx() == 5) CrossCoreWaitFlag(1);
}
void cubes_report(void* const*) { CrossCoreSetFlag<0, PIPE_FIX>(1); }

TEST(Machine, DeadlockNamesThoseOfItsOwnKind) {
  LaunchSetup setup;
  setup.blocks = 3;
  setup.task_type = OPK_TASK_MIX_1_2;
  const LaunchReport report = run<most_cores_report, cubes_report>({}, setup);
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].message,
            "deadlock: block 2 vector core 1 waits for cross-core flag 1, which nobody will give: "
            "block 1 vector core 1 has not set it (mode 0), block 0 vector core 0, block 0 vector "
            "core 1, block 1 vector core 0, block 2 vector core 0 and 1 more have");
}

void one_wait_too_many(void* const*) {
  CrossCoreSetFlag<0, PIPE_MTE3>(1);
  CrossCoreWaitFlag(1);
  CrossCoreWaitFlag(1);
}

TEST(Machine, DeadlockCountsTheWaitsThatEnded) {
  const LaunchReport report = run<one_wait_too_many>({});
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].message,
            "deadlock: block 0 waits for cross-core flag 1, which nobody will give: it rose 1 time "
            "for this core, and this is wait 2");
}

void only_waits(void* const*) { CrossCoreWaitFlag(2); }

TEST(Machine, DeadlockSaysThatNobodyHasSet) {
  const LaunchReport report = run<only_waits>({});
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_THAT(report.faults[0].message, HasSubstr("no core has set it for this one"));
}

// A cube core and its two vector cores hand a value back and forth through GM.
void vector_half(void* const* args) {
  auto* cells = static_cast<int32_t*>(args[0]) + GetBlockIdx() / 2 * 4;
  CrossCoreWaitFlag(3);
  cells[1 + GetSubBlockIdx()] = cells[0] + static_cast<int32_t>(GetSubBlockIdx()) + 1;
  CrossCoreSetFlag<2, PIPE_MTE3>(4);
}
void cube_half(void* const* args) {
  auto* cells = static_cast<int32_t*>(args[0]) + GetBlockIdx() * 4;
  cells[0] = static_cast<int32_t>(10 * GetBlockIdx());
  CrossCoreSetFlag<2, PIPE_FIX>(3);
  CrossCoreWaitFlag(4);
  cells[3] = cells[1] + cells[2];
}

TEST(Machine, CubeAndVectorCoresHandOver) {
  for (unsigned threads : {1u, 2u}) {
    std::vector<int32_t> cells(4 * 40);
    LaunchSetup setup;
    setup.blocks = 40;
    setup.task_type = OPK_TASK_MIX_1_2;
    setup.threads = threads;
    ASSERT_TRUE((run<vector_half, cube_half>({cells.data()}, setup).ok()));
    for (int32_t b = 0; b < 40; ++b) ASSERT_EQ(cells[static_cast<size_t>(4 * b + 3)], 20 * b + 3);
  }
}

void raise_all(void* const* args) {
  auto* cells = static_cast<int32_t*>(args[0]);
  cells[GetBlockIdx()] = 1;
  CrossCoreSetFlag<0, PIPE_MTE3>(7);
  CrossCoreWaitFlag(7);
  int32_t sum = 0;
  for (int64_t i = 0; i < GetBlockNum(); ++i) sum += cells[i];
  CrossCoreSetFlag<0, PIPE_MTE3>(8);
  CrossCoreWaitFlag(8);
  cells[GetBlockIdx()] = sum;
}

TEST(Machine, ModeZeroFlagsMeetAllVectorCores) {
  for (unsigned threads : {1u, 2u}) {
    std::vector<int32_t> cells(30);
    LaunchSetup setup;
    setup.blocks = 30;
    setup.threads = threads;
    ASSERT_TRUE(run<raise_all>({cells.data()}, setup).ok());
    for (int32_t cell : cells) ASSERT_EQ(cell, 30);
  }
}

TEST(Machine, RefusesAnArchitectureThatNoTableDescribes) {
  opk_soc_v1 soc = soc_910b();
  opk_kernel_v1 kernel{};
  kernel.aiv = entry<write_index>;
  LaunchRequest request;
  request.kernel = &kernel;
  soc.npu_arch = 9999;  // the table is still that of 2201
  LaunchReport report = Machine(soc, 1).launch(request);
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].code, "EK1605");
  EXPECT_THAT(report.faults[0].message,
              HasSubstr("architecture 9999, and the table is that of 2201"));
  EXPECT_THAT(report.faults[0].action, HasSubstr("opkit/soc/archs/9999.yaml"));
  soc.arch = nullptr;
  report = Machine(soc, 1).launch(request);
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].code, "EK1605");
  EXPECT_THAT(report.faults[0].message, HasSubstr("no table says what its cores execute"));
}

TEST(Machine, RefusesKernelsThatWereNotBuiltForTheChip) {
  opk_soc_v1 soc = soc_910b();
  opk_kernel_v1 kernel{};
  kernel.task_type = OPK_TASK_MIX_1_2;
  kernel.aiv = entry<write_index>;
  LaunchRequest request;
  request.kernel = &kernel;
  LaunchReport report = Machine(soc, 1).launch(request);
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].code, "EK1603");
  EXPECT_THAT(report.faults[0].message, HasSubstr("every core that its task type names"));
  kernel.aic = kernel.aiv;
  soc.split = 0;
  report = Machine(soc, 1).launch(request);
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_THAT(report.faults[0].message, HasSubstr("a core that does cube and vector work"));
}

// Both parts in one core: flags between them are the core's own, SyncAll waits for one core per
// block.
void both_parts(void* const* args) {
  auto* cells = static_cast<int32_t*>(args[0]);
  cells[GetBlockIdx()] = static_cast<int32_t>(GetSubBlockNum() + GetTaskRation());
  CrossCoreSetFlag<0x2, PIPE_FIX>(3);
  CrossCoreWaitFlag(3);
  CrossCoreSetFlag<0x1, PIPE_MTE3>(4);
  CrossCoreWaitFlag(4);
  SyncAll();
  SyncAll<false>();
  int32_t sum = 0;
  for (int64_t i = 0; i < GetBlockNum(); ++i) sum += cells[i];
  cells[GetBlockNum() + GetBlockIdx()] = sum;
}

TEST(Machine, RunsMixedKernelsOnCoresThatDoBoth) {
  opk_soc_v1 soc = soc_910b();
  soc.split = 0;
  soc.core_num = 8;
  for (const int32_t type : {OPK_TASK_MIX_1_1, OPK_TASK_MIX_1_2}) {
    opk_kernel_v1 kernel{};
    kernel.struct_size = sizeof kernel;
    kernel.task_type = type;
    kernel.mix = entry<both_parts>;
    std::vector<int32_t> cells(12);
    void* args[] = {cells.data()};
    LaunchRequest request;
    request.kernel = &kernel;
    request.block_dim = 6;
    request.args = args;
    const LaunchReport report = Machine(soc, 2).launch(request);
    ASSERT_TRUE(report.ok()) << report.faults[0].message;
    for (size_t i = 6; i < 12; ++i) ASSERT_EQ(cells[i], 12);
  }
}

void bad_flag(void* const*) { CrossCoreWaitFlag(16); }

TEST(Machine, RefusesFlagIdsThatDoNotExist) {
  const LaunchReport report = run<bad_flag>({});
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].code, "EK1502");
  EXPECT_THAT(report.faults[0].message, HasSubstr("flag id 16 does not exist"));
}

void in_turn(void* const* args) {
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer(static_cast<int32_t*>(args[0]));
  auto* order = static_cast<int32_t*>(args[1]);
  LocalTensor<int32_t> ub;
  InitDetermineComputeWorkspace(gm, ub);
  WaitPreBlock(gm, ub);
  order[order[0] + 1] = static_cast<int32_t>(GetBlockIdx());
  order[0]++;
  NotifyNextBlock(gm, ub);
}

TEST(Machine, BlocksInTurn) {
  std::vector<int32_t> gm(8 * 20, 0), order(21, 0);  // 32 bytes for each block
  LaunchSetup setup;
  setup.blocks = 20;
  setup.threads = 2;
  ASSERT_TRUE(run<in_turn>({gm.data(), order.data()}, setup).ok());
  for (int32_t i = 0; i < 20; ++i) EXPECT_EQ(order[static_cast<size_t>(i) + 1], i);
}

void pair_up(void* const* args) {
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer(static_cast<int32_t*>(args[0]));
  auto* cells = static_cast<int32_t*>(args[1]);
  LocalTensor<int32_t> ub;
  const auto me = static_cast<int32_t>(GetBlockIdx());
  if (me > 0) IBWait(gm, ub, me - 1, 0);
  cells[me] = me == 0 ? 1 : cells[me - 1] * 2;
  IBSet(gm, ub, me, 0);
}

TEST(Machine, PointToPointChain) {
  std::vector<int32_t> gm(16 * 8, 0), cells(16, 0);
  LaunchSetup setup;
  setup.blocks = 16;
  setup.threads = 2;
  ASSERT_TRUE(run<pair_up>({gm.data(), cells.data()}, setup).ok());
  EXPECT_EQ(cells[15], 1 << 15);
}

// Block 0 sets its word as IBSet does, but by a store of its own, of which nobody is told, and
// waits for block 1, which waits for that word. Block 0 is late, so that block 1 waits by then.
void store_and_wait(void* const* args) {
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer(static_cast<int32_t*>(args[0]));
  LocalTensor<int32_t> ub;
  if (GetBlockIdx() == 1) {
    IBWait(gm, ub, 0, 0);
    return IBSet(gm, ub, 1, 0);
  }
  for (volatile int late = 0; late < 100000;) late = late + 1;
  __atomic_store_n(static_cast<int32_t*>(args[0]), 1, __ATOMIC_RELEASE);
  IBWait(gm, ub, 1, 0);
}

TEST(Machine, SeesWordsOfCoresThatWaitThemselves) {
  const opk_soc_v1 soc = soc_910b();
  Machine machine(soc, 2);
  opk_kernel_v1 kernel{};
  kernel.aiv = entry<store_and_wait>;
  for (int i = 0; i < 200; ++i) {
    std::vector<int32_t> gm(2 * 8, 0);
    void* args[] = {gm.data()};
    LaunchRequest request;
    request.kernel = &kernel;
    request.block_dim = 2;
    request.args = args;
    ASSERT_TRUE(machine.launch(request).ok()) << "launch " << i;
  }
}

void print_and_stop(void* const*) {
  AscendC::printf("block %d of %d\n", static_cast<int>(GetBlockIdx()),
                  static_cast<int>(GetBlockNum()));
}

TEST(Machine, PrintsInBlockOrder) {
  LaunchSetup setup;
  setup.blocks = 3;
  setup.threads = 2;
  EXPECT_EQ(run<print_and_stop>({}, setup).printed, "block 0 of 3\nblock 1 of 3\nblock 2 of 3\n");
}

void third_block_fails(void* const*) {
  if (GetBlockIdx() >= 3)
    ascendc_assert(GetBlockIdx() < 3, "index %d", static_cast<int>(GetBlockIdx()));
}

TEST(Machine, ReportsTheFirstFaultyBlockForAnyNumberOfThreads) {
  for (unsigned threads : {1u, 2u, 4u}) {
    LaunchSetup setup;
    setup.blocks = 500;
    setup.threads = threads;
    const LaunchReport report = run<third_block_fails>({}, setup);
    ASSERT_EQ(report.faults.size(), 1u);
    EXPECT_EQ(report.faults[0].block, 3u);
    EXPECT_EQ(report.faults[0].code, "EK1602");
    EXPECT_THAT(report.faults[0].message, HasSubstr("assertion 'GetBlockIdx() < 3' failed at"));
    EXPECT_THAT(report.faults[0].message, HasSubstr("index 3"));
  }
}

void add_atomically(void* const* args) {
  GlobalTensor<float> in, out;
  in.SetGlobalBuffer(static_cast<float*>(args[0]) + 8 * GetBlockIdx(), 8);
  out.SetGlobalBuffer(static_cast<float*>(args[1]), 8);
  LocalTensor<float> tile(TPosition::VECIN, 0, 8);
  DataCopy(tile, in, 8);
  SetAtomicAdd<float>();
  DataCopy(out, tile, 8);
  SetAtomicNone();
}

TEST(Machine, FloatAtomicsHaveTheSameBitsForAnyNumberOfThreads) {
  std::vector<float> in(8 * 200);
  for (size_t i = 0; i < in.size(); ++i) in[i] = 1.0f / static_cast<float>(i + 3);
  std::vector<float> expected(8, 0.5f);
  for (size_t i = 0; i < in.size(); ++i) expected[i % 8] += in[i];
  for (unsigned threads : {1u, 2u, 4u}) {
    std::vector<float> out(8, 0.5f);
    LaunchSetup setup;
    setup.blocks = 200;
    setup.threads = threads;
    ASSERT_TRUE(run<add_atomically>({in.data(), out.data()}, setup).ok());
    EXPECT_EQ(out, expected);
  }
}

template <typename T, int mode>
void combine_atomically(void* const* args) {
  constexpr uint32_t n = 32 / sizeof(T);
  GlobalTensor<T> in, out;
  in.SetGlobalBuffer(static_cast<T*>(args[0]) + n * GetBlockIdx(), n);
  out.SetGlobalBuffer(static_cast<T*>(args[1]), n);
  LocalTensor<T> tile(TPosition::VECIN, 0, n);
  DataCopy(tile, in, n);
  if constexpr (mode == 0) SetAtomicAdd<T>();
  if constexpr (mode == 1) SetAtomicMax<T>();
  if constexpr (mode == 2) SetAtomicMin<T>();
  DataCopy(out, tile, n);
  SetAtomicNone();
}

template <typename T>
void check_atomics() {
  constexpr size_t n = 32 / sizeof(T);
  std::vector<T> in(n * 8);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(static_cast<int>(i * 7 % 13) - 6);
  const auto expect = [&](auto fold) {
    std::vector<T> out(n, static_cast<T>(1));
    for (size_t i = 0; i < in.size(); ++i) out[i % n] = fold(out[i % n], in[i]);
    return out;
  };
  LaunchSetup setup;
  setup.blocks = 8;
  setup.threads = 2;
  std::vector<T> sum(n, static_cast<T>(1)), high = sum, low = sum;
  ASSERT_TRUE((run<combine_atomically<T, 0>>({in.data(), sum.data()}, setup).ok()));
  ASSERT_TRUE((run<combine_atomically<T, 1>>({in.data(), high.data()}, setup).ok()));
  ASSERT_TRUE((run<combine_atomically<T, 2>>({in.data(), low.data()}, setup).ok()));
  EXPECT_EQ(sum, expect([](T a, T b) { return static_cast<T>(a + b); }));
  EXPECT_EQ(high, expect([](T a, T b) { return a < b ? b : a; }));
  EXPECT_EQ(low, expect([](T a, T b) { return b < a ? b : a; }));
}

TEST(Machine, AtomicsOverTypes) {
  check_atomics<float>();
  check_atomics<half>();
  check_atomics<bfloat16_t>();
  check_atomics<int32_t>();
  check_atomics<int16_t>();
  check_atomics<int8_t>();
}

void write_one(void* const* args) { ++*static_cast<int32_t*>(args[0]); }

// One block on one core, whether the chip's cores are split or not.
TEST(Machine, RunsAicpuKernelsOnce) {
  for (const uint8_t split : {1, 0}) {
    opk_soc_v1 soc = soc_910b();
    soc.split = split;
    soc.core_num = 8;
    Machine machine(soc, 2);
    opk_kernel_v1 kernel{};
    kernel.task_type = OPK_TASK_AICPU;
    kernel.aiv = kernel.mix = entry<write_one>;
    int32_t runs = 0;
    void* args[] = {&runs};
    LaunchRequest request;
    request.kernel = &kernel;
    request.block_dim = 1;
    request.args = args;
    EXPECT_TRUE(machine.launch(request).ok());
    EXPECT_EQ(runs, 1);
  }
}

// Whatever mode the program has set, cores round to nearest and keep subnormals: scalar code and
// vector instructions alike.
void divides_and_halves(void* const* args) {
  auto* cells = static_cast<volatile float*>(args[0]) + 4 * GetBlockIdx();
  volatile float one = 1.0f, three = 3.0f, least = 1e-38f, half = 0.5f;
  cells[0] = one / three;
  cells[1] = least * half;
  const LocalTensor<float> local(TPosition::VECCALC, 0, 16);
  local.SetValue(0, 1.0f);
  local.SetValue(8, 1e-38f);
  Muls(local, local, 1.0f / 3.0f, 1);
  Muls(local[8], local[8], 0.5f, 1);
  cells[2] = local.GetValue(0);
  cells[3] = local.GetValue(8);
}

TEST(Machine, TheHostsFloatingPointModeChangesNothing) {
  constexpr uint32_t kCount = 64;
  const auto results = [](unsigned threads) {
    std::vector<float> cells(4 * kCount);
    LaunchSetup setup;
    setup.blocks = kCount;
    setup.threads = threads;
    EXPECT_TRUE(run<divides_and_halves>({cells.data()}, setup).ok());
    return cells;
  };
  const std::vector<float> expected = results(1);
  const uint32_t before = _mm_getcsr();
  constexpr uint32_t kFlushAndRoundUp = 0x1f80 | 0x8040 | 0x4000, kTraps = 0x1000;
  for (const uint32_t mode : {kFlushAndRoundUp, kTraps}) {
    for (const unsigned threads : {1u, 2u}) {
      _mm_setcsr(mode);
      const std::vector<float> found = results(threads);
      const uint32_t after = _mm_getcsr();
      _mm_setcsr(before);
      EXPECT_EQ(found, expected) << std::hex << mode;
      EXPECT_EQ(after & ~0x3fu, mode);
    }
  }
  EXPECT_EQ(std::fpclassify(expected[1]), FP_SUBNORMAL);
  EXPECT_EQ(std::fpclassify(expected[3]), FP_SUBNORMAL);
}

}  // namespace
}  // namespace opkit::core::test
