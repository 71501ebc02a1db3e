// What cores see of each other: cross-core flags count cores, atomic additions happen before what
// is ordered behind them. Every case on one to three host threads and under ten other schedules,
// and with somebody watching; the results are the same bits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "opkit/include/kernel_operator.h"
#include "opkit/include/lib/matmul_intf.h"
#include "tests/conformance/matmul_tilings.h"
#include "tests/conformance/raw_memory.h"
#include "tests/unit/core/kernel_run.h"

namespace conformance {
namespace {

using namespace AscendC;
using opkit::core::test::put_raw;

struct Way {
  unsigned threads = 1;
  uint64_t seed = 0;
};
std::vector<Way> ways() {
  std::vector<Way> all = {{1}, {2}, {3}};
  for (uint64_t seed = 1; seed <= 10; ++seed) all.push_back({1, seed});
  return all;
}

std::function<void(uint8_t*)> current_body;
void entry(opk_core* core, void* const* args) {
  detail::current = core;
  current_body(static_cast<uint8_t*>(args[0]));
}

struct Launched {
  uint32_t blocks = 1;
  int32_t task_type = OPK_TASK_AIV_ONLY;
  bool raw = false;  // there are no instructions to watch
};

// GM after a launch on `before`, which is the same in every way.
template <typename T>
std::vector<T> everywhere(const std::vector<T>& before, const Launched& launched,
                          const std::function<void(T*)>& body) {
  current_body = [&](uint8_t* gm) { body(reinterpret_cast<T*>(gm)); };
  opk_kernel_v1 kernel{};
  kernel.struct_size = sizeof kernel;
  kernel.task_type = launched.task_type;
  kernel.aiv = kernel.aic = entry;
  std::vector<T> first;
  for (const Way& way : ways()) {
    opkit::core::Machine machine(opkit::core::test::soc_910b(), way.threads);
    std::vector<T> gm = before;
    void* args[] = {gm.data()};
    opkit::core::LaunchRequest request;
    request.kernel = &kernel;
    request.block_dim = launched.blocks;
    request.args = args;
    request.schedule_seed = way.seed;
    const auto report = way.seed || launched.raw
                            ? machine.launch(request)
                            : opkit::core::test::launch_observed(machine, request);
    for (const auto& fault : report.faults) ADD_FAILURE() << fault.code << " " << fault.message;
    if (first.empty()) first = gm;
    EXPECT_EQ(std::memcmp(first.data(), gm.data(), gm.size() * sizeof(T)), 0)
        << way.threads << " threads, seed " << way.seed;
  }
  return first;
}

bool on_cube_core() { return detail::core()->kind == OPK_CORE_AIC; }

template <typename T>
GlobalTensor<T> global(T* data) {
  GlobalTensor<T> t;
  t.SetGlobalBuffer(data);
  return t;
}
template <typename T>
LocalTensor<T> tile(uint32_t byte, uint32_t elements) {
  return LocalTensor<T>(TPosition::VECCALC, byte, elements);
}

template <HardEvent event>
void order() {
  SetFlag<event>(EVENT_ID0);
  WaitFlag<event>(EVENT_ID0);
}

constexpr uint32_t kRow = 64;

template <typename T>
void add_row(T* gm, T value) {
  const LocalTensor<T> t = tile<T>(0, kRow);
  order<HardEvent::MTE3_V>();
  Duplicate(t, value, kRow);
  order<HardEvent::V_MTE3>();
  SetAtomicAdd<T>();
  DataCopy(global(gm), t, kRow);
  SetAtomicNone();
}
template <typename T>
void store_row(T* gm, T value) {
  const LocalTensor<T> t = tile<T>(1024, kRow);
  order<HardEvent::MTE3_V>();
  Duplicate(t, value, kRow);
  order<HardEvent::V_MTE3>();
  DataCopy(global(gm), t, kRow);
}
template <typename T>
void copy_row(T* to, T* from) {
  const LocalTensor<T> t = tile<T>(2048, kRow);
  order<HardEvent::MTE3_MTE2>();
  DataCopy(t, global(from), kRow);
  order<HardEvent::MTE2_MTE3>();
  DataCopy(global(to), t, kRow);
}

// "SetAtomicAdd": what is copied to GM from now on is added to what is there; MTE3_MTE2 puts the
// read behind the copy.
template <typename T>
void reads_its_own_sum() {
  const auto gm = everywhere<T>(std::vector<T>(8 * kRow, T(2)), {.blocks = 4}, [](T* data) {
    T* mine = data + 2 * kRow * GetBlockIdx();
    for (int i = 0; i < 3; ++i) add_row(mine, T(1));
    copy_row(mine + kRow, mine);
    order<HardEvent::MTE2_MTE3>();
    add_row(mine, T(1));
  });
  for (size_t i = 0; i < gm.size(); ++i)
    ASSERT_EQ(static_cast<float>(gm[i]), i / kRow % 2 ? 5.0f : 6.0f) << i;
}
TEST(Additions, ACoreReadsItsOwnSum) {
  reads_its_own_sum<float>();
  reads_its_own_sum<half>();
  reads_its_own_sum<int32_t>();
}

TEST(Additions, APlainStoreBehindABarrierStays) {
  const auto gm = everywhere<float>(std::vector<float>(kRow, 7.0f), {}, [](float* data) {
    store_row(data, 0.0f);
    PipeBarrier<PIPE_MTE3>();
    add_row(data, 1.0f);
    PipeBarrier<PIPE_MTE3>();
    store_row(data, 5.0f);
  });
  EXPECT_THAT(gm, testing::Each(5.0f));
}

// Shows that only what the store overwrites of the addition is gone.
TEST(Additions, AStoreReplacesItsOwnBytesOnly) {
  const auto gm = everywhere<float>(std::vector<float>(kRow, 1.0f), {}, [](float* data) {
    add_row(data, 2.0f);
    PipeBarrier<PIPE_MTE3>();
    const LocalTensor<float> t = tile<float>(1024, kRow);
    Duplicate(t, 9.0f, kRow);
    order<HardEvent::V_MTE3>();
    DataCopyPad(global(data), t, DataCopyExtParams(3, 4, 0, 60, 0));
  });
  for (uint32_t i = 0; i < kRow; ++i) ASSERT_EQ(gm[i], i % 16 == 0 && i < 48 ? 9.0f : 3.0f) << i;
}

TEST(Additions, TheScalarPipeReadsAndWritesBehindThem) {
  const auto gm = everywhere<float>(std::vector<float>(kRow, 1.0f), {}, [](float* data) {
    add_row(data, 2.0f);
    order<HardEvent::MTE3_S>();
    GlobalTensor<float> t = global(data);
    t.SetValue(1, t.GetValue(0) * 10.0f);
  });
  EXPECT_EQ(gm[0], 3.0f);
  EXPECT_EQ(gm[1], 30.0f);
  EXPECT_EQ(gm[2], 3.0f);
}

TEST(Additions, AMaximumTakesTheSumBeforeIt) {
  const auto gm = everywhere<float>(std::vector<float>(kRow, 1.0f), {}, [](float* data) {
    add_row(data, 4.0f);
    PipeBarrier<PIPE_MTE3>();
    SetAtomicMax<float>();
    store_row(data, 3.0f);
    SetAtomicNone();
  });
  EXPECT_THAT(gm, testing::Each(5.0f));
}

// Mode 2 behind the adding Fixpipe: both vector cores read the sum.
TEST(Additions, VectorCoresReadWhatFixpipeAdded) {
  constexpr uint32_t kSide = 16, kTile = kSide * kSide;
  const auto gm = everywhere<float>(
      std::vector<float>(3 * 4 * kTile, 1.0f), {4, OPK_TASK_MIX_1_2}, [](float* data) {
        float* mine = data + get_block_idx() * 3 * kTile;
        if (on_cube_core()) {
          const LocalTensor<float> l0c(TPosition::CO1, 0, kTile);
          put_raw(l0c, std::vector<float>(kTile, 2.0f).data(), kTile * 4);
          SetAtomicAdd<float>();
          Fixpipe(global(mine), l0c, FixpipeParamsV220(kSide, kSide, kSide, kSide, false));
          SetAtomicNone();
          CrossCoreSetFlag<2, PIPE_FIX>(3);
          return;
        }
        CrossCoreWaitFlag(3);
        const LocalTensor<float> t = tile<float>(0, kTile);
        DataCopy(t, global(mine), kTile);
        order<HardEvent::MTE2_MTE3>();
        DataCopy(global(mine + (1 + GetSubBlockIdx()) * kTile), t, kTile);
      });
  EXPECT_THAT(gm, testing::Each(3.0f));
}

// "IterateAll": enAtomic 1 adds to C.
TEST(Additions, AMatmulObjectsSumIsReadBehindIt) {
  constexpr int kSide = 32;
  static TCubeTiling tiling;
  tiling = opkit::core::test::tiling_of(kSide, kSide, kSide);
  std::vector<float> before(4 * kSide * kSide, 1.0f);
  const auto gm = everywhere<float>(before, {}, [](float* data) {
    constexpr int kAll = kSide * kSide;
    using Plain = MatmulType<TPosition::GM, CubeFormat::ND, float>;
    Matmul<Plain, Plain, Plain> mm;
    mm.Init(&tiling);
    GlobalTensor<float> c = global(data + 2 * kAll);
    mm.SetTensorA(global(data));
    mm.SetTensorB(global(data + kAll));
    mm.IterateAll(c, 1);
    const LocalTensor<float> t = tile<float>(0, kAll);
    DataCopy(t, c, kAll);
    order<HardEvent::MTE2_MTE3>();
    DataCopy(global(data + 3 * kAll), t, kAll);
    PipeBarrier<PIPE_ALL>();
    mm.SetTensorA(c);  // the sum as an operand
    mm.IterateAll(global(data), 1);
  });
  for (size_t i = 0; i < gm.size(); ++i) {
    const float expected[] = {1.0f + 33 * kSide, 1.0f, 33.0f, 33.0f};
    ASSERT_EQ(gm[i], expected[i / (kSide * kSide)]) << i;
  }
}

// The page's own example: all vector cores add, then meet in mode 0, then block 0 reads.
TEST(Additions, CoresThatMetReadTheSumOfAll) {
  constexpr uint32_t kBlocks = 12;
  std::vector<float> before(2 * kRow);
  const auto gm = everywhere<float>(before, {.blocks = kBlocks}, [](float* data) {
    add_row(data, 1.0f / static_cast<float>(3 + GetBlockIdx()));
    CrossCoreSetFlag<0, PIPE_MTE3>(0);
    CrossCoreWaitFlag(0);
    if (GetBlockIdx() == 5) copy_row(data + kRow, data);
  });
  float sum = 0;
  for (uint32_t b = 0; b < kBlocks; ++b) sum += 1.0f / static_cast<float>(3 + b);
  EXPECT_THAT(gm, testing::Each(sum));
}

// Blocks tell their own vector cores at any time; what they add to one place is summed in the order
// of blocks all the same.
TEST(Additions, TheOrderOfBlocksHoldsWhoeverIsToldFirst) {
  constexpr uint32_t kBlocks = 9, kTile = 256;
  const auto gm =
      everywhere<float>(std::vector<float>(kTile), {kBlocks, OPK_TASK_MIX_1_2}, [](float* data) {
        if (on_cube_core()) {
          const LocalTensor<float> l0c(TPosition::CO1, 0, kTile);
          const float value = 1.0f / static_cast<float>(3 + GetBlockIdx());
          put_raw(l0c, std::vector<float>(kTile, value).data(), kTile * 4);
          SetAtomicAdd<float>();
          Fixpipe(global(data), l0c, FixpipeParamsV220(16, 16, 16, 16, false));
          SetAtomicNone();
          CrossCoreSetFlag<2, PIPE_FIX>(3);
          return;
        }
        CrossCoreWaitFlag(3);
      });
  float sum = 0;
  for (uint32_t b = 0; b < kBlocks; ++b) sum += 1.0f / static_cast<float>(3 + b);
  EXPECT_THAT(gm, testing::Each(sum));
}

// "当两个Vector核都已经运行了CrossCoreSetFlag指令，对应Cube核的计数器增加1": two sets by one of
// them do not release the cube core.
TEST(CrossCoreFlags, ModeTwoCountsVectorCores) {
  const auto gm =
      everywhere<int32_t>(std::vector<int32_t>(4 * 8), {4, OPK_TASK_MIX_1_2}, [](int32_t* data) {
        int32_t* mine = data + 8 * get_block_idx();
        if (on_cube_core()) {
          CrossCoreWaitFlag(3);
          mine[2] = mine[0] + mine[1];
          CrossCoreSetFlag<2, PIPE_FIX>(4);
          CrossCoreWaitFlag(3);
          return;
        }
        const bool eager = GetSubBlockIdx() == 0;
        if (eager) {
          mine[0] = 1;
          CrossCoreSetFlag<2, PIPE_MTE3>(3);
          CrossCoreSetFlag<2, PIPE_MTE3>(3);
        } else {
          CrossCoreSetFlag<1, PIPE_MTE3>(5);
          CrossCoreWaitFlag(5);
          mine[1] = 10;
          CrossCoreSetFlag<2, PIPE_MTE3>(3);
        }
        if (eager) {
          CrossCoreSetFlag<1, PIPE_MTE3>(5);
          CrossCoreWaitFlag(5);
        }
        CrossCoreWaitFlag(4);
        if (!eager) CrossCoreSetFlag<2, PIPE_MTE3>(3);
      });
  for (size_t b = 0; b < 4; ++b) ASSERT_EQ(gm[8 * b + 2], 11);
}

// "直到所有的AIV核都执行到CrossCoreSetFlag": a core that sets for two rounds stands in for nobody.
TEST(CrossCoreFlags, ModeZeroCountsCores) {
  constexpr uint32_t kBlocks = 6;
  const auto gm = everywhere<int32_t>(std::vector<int32_t>(2 * kBlocks), {.blocks = kBlocks},
                                      [](int32_t* data) {
                                        const int64_t me = GetBlockIdx();
                                        data[me] = 1;
                                        for (int i = 0; i < (me == 0 ? 2 : 1); ++i)
                                          CrossCoreSetFlag<0, PIPE_MTE3>(7);
                                        CrossCoreWaitFlag(7);
                                        for (uint32_t b = 0; b < kBlocks; ++b)
                                          data[kBlocks + me] += data[b];
                                        if (me != 0) CrossCoreSetFlag<0, PIPE_MTE3>(7);
                                        CrossCoreWaitFlag(7);
                                      });
  EXPECT_THAT(gm, testing::Each(testing::AnyOf(1, 6)));
  EXPECT_THAT(std::vector<int32_t>(gm.begin() + kBlocks, gm.end()), testing::Each(6));
}

TEST(CrossCoreFlags, ModeOneCountsCores) {
  const auto gm =
      everywhere<int32_t>(std::vector<int32_t>(8), {1, OPK_TASK_MIX_1_2}, [](int32_t* data) {
        if (on_cube_core()) return;
        const int64_t me = GetSubBlockIdx();
        data[me] = 1;
        for (int i = 0; i < (me == 0 ? 2 : 1); ++i) CrossCoreSetFlag<1, PIPE_MTE3>(7);
        CrossCoreWaitFlag(7);
        data[2 + me] = data[0] + data[1];
        if (me != 0) CrossCoreSetFlag<1, PIPE_MTE3>(7);
        CrossCoreWaitFlag(7);
      });
  EXPECT_EQ(gm[2] + gm[3], 4);
}

// Attention in small: the cube core runs a tile ahead of its vector cores, which hand tiles back.
TEST(CrossCoreFlags, APipelineOfTilesKeepsItsOrder) {
  constexpr uint32_t kTiles = 9, kTile = 256;
  const auto gm = everywhere<float>(
      std::vector<float>(4 * kTile + kTiles * kTile), {1, OPK_TASK_MIX_1_2}, [](float* data) {
        float* out = data + 4 * kTile;
        if (on_cube_core()) {
          const LocalTensor<float> l0c(TPosition::CO1, 0, kTile);
          for (uint32_t i = 0; i < kTiles; ++i) {
            if (i >= 2) CrossCoreWaitFlag(6);
            put_raw(l0c, std::vector<float>(kTile, static_cast<float>(i)).data(), kTile * 4);
            Fixpipe(global(data + i % 2 * kTile), l0c, FixpipeParamsV220(16, 16, 16, 16, false));
            CrossCoreSetFlag<2, PIPE_FIX>(5);
          }
          return;
        }
        const uint32_t part = static_cast<uint32_t>(GetSubBlockIdx()) * kTile / 2;
        const LocalTensor<float> t = tile<float>(0, kTile / 2);
        for (uint32_t i = 0; i < kTiles; ++i) {
          CrossCoreWaitFlag(5);
          if (i > 0) order<HardEvent::MTE3_MTE2>();
          DataCopy(t, global(data + i % 2 * kTile + part), kTile / 2);
          order<HardEvent::MTE2_MTE3>();
          if (i + 2 < kTiles) CrossCoreSetFlag<2, PIPE_MTE2>(6);
          DataCopy(global(out + i * kTile + part), t, kTile / 2);
        }
      });
  for (size_t i = 0; i < kTiles * kTile; ++i)
    ASSERT_EQ(gm[4 * kTile + i], static_cast<float>(i / kTile));
}

// Pages "GetSubBlockNum(ISASI)": 1 on the AIC of KERNEL_TYPE_MIX_AIC_1_2, 2 on its AIVs.
TEST(CoreNumbers, OfCubeAndVectorCores) {
  const auto gm = everywhere<int32_t>(
      std::vector<int32_t>(6 * 8), {2, OPK_TASK_MIX_1_2, true}, [](int32_t* data) {
        const int64_t seat = on_cube_core() ? 4 + GetBlockIdx() : GetBlockIdx();
        int32_t* mine = data + 8 * seat;
        mine[0] = static_cast<int32_t>(GetSubBlockNum());
        mine[1] = static_cast<int32_t>(get_block_idx());
        mine[2] = block_idx;
        mine[3] = static_cast<int32_t>(get_subblockid());
        mine[4] = static_cast<int32_t>(GetBlockIdx());
      });
  const auto row = [&](size_t seat) {
    return std::vector<int32_t>(gm.begin() + static_cast<std::ptrdiff_t>(8 * seat),
                                gm.begin() + static_cast<std::ptrdiff_t>(8 * seat + 5));
  };
  for (int32_t seat = 0; seat < 4; ++seat)
    EXPECT_EQ(row(static_cast<size_t>(seat)),
              (std::vector<int32_t>{2, seat / 2, seat / 2, seat % 2, seat}));
  for (int32_t block = 0; block < 2; ++block)
    EXPECT_EQ(row(4 + static_cast<size_t>(block)),
              (std::vector<int32_t>{1, block, block, 0, block}));
}

}  // namespace
}  // namespace conformance
