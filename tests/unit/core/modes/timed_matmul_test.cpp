// The Matmul object in Timed mode: its parts on their pipes, as a kernel by the basic API has them.
#include <gtest/gtest.h>

#include <cstring>

#include "opkit/core/modes/timed.h"
#include "opkit/include/lib/matmul_intf.h"
#include "tests/rates_910b1.h"
#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

constexpr size_t kS = 0, kV = 1, kM = 2, kMte1 = 3, kMte2 = 4, kMte3 = 5, kFix = 6;

TCubeTiling tiling;
uint32_t sides = 1;  // blocks along M and along N
GlobalTensor<half> a, b;
GlobalTensor<float> c;

void take(void* const* args) {
  a.SetGlobalBuffer(static_cast<half*>(args[0]));
  b.SetGlobalBuffer(static_cast<half*>(args[1]));
  c.SetGlobalBuffer(static_cast<float*>(args[2]));
}

uint32_t share(int single, int64_t block) { return static_cast<uint32_t>(single * block); }
uint32_t first_row() { return share(tiling.singleCoreM, GetBlockIdx() / sides); }
uint32_t first_column() { return share(tiling.singleCoreN, GetBlockIdx() % sides); }

template <const MatmulConfig& config, bool nz = false>
using Object = Matmul<MatmulType<TPosition::GM, nz ? CubeFormat::NZ : CubeFormat::ND, half>,
                      MatmulType<TPosition::GM, nz ? CubeFormat::NZ : CubeFormat::ND, half>,
                      MatmulType<TPosition::GM, CubeFormat::ND, float>,
                      MatmulType<TPosition::GM, CubeFormat::ND, float>, config>;

template <const MatmulConfig& config = CFG_NORM>
void object(void* const* args) {
  take(args);
  Object<config> mm;
  mm.Init(&tiling);
  mm.SetTensorA(a[uint64_t{first_row()} * static_cast<uint64_t>(tiling.Ka)]);
  mm.SetTensorB(b[first_column()]);
  mm.IterateAll(c[uint64_t{first_row()} * static_cast<uint64_t>(tiling.N) + first_column()]);
}

// Multiplies by the basic API: chunks of one base block of K, `depthA1` of them in L1, two in L0.
class ByHand {
 public:
  void run(void* const* args) {
    take(args);
    for (int32_t i = 0; i < 2; ++i) SetFlag<HardEvent::M_MTE1>(i);
    for (int32_t i = 0; i < buffers_; ++i) SetFlag<HardEvent::MTE1_MTE2>(i);
    SetFlag<HardEvent::FIX_M>(0);
    for (uint32_t n = 0; n < single_n_; n += base_n_)
      for (uint32_t m = 0; m < single_m_; m += base_m_) output(first_row() + m, first_column() + n);
    WaitFlag<HardEvent::FIX_M>(0);
    for (int32_t i = 0; i < buffers_; ++i) WaitFlag<HardEvent::MTE1_MTE2>(i);
    for (int32_t i = 0; i < 2; ++i) WaitFlag<HardEvent::M_MTE1>(i);
  }

 private:
  static uint32_t u(int value) { return static_cast<uint32_t>(value); }

  void output(uint32_t row, uint32_t column) {
    for (uint32_t k0 = 0; k0 < k_; k0 += base_k_, ++step_) {
      const int32_t slot = step_ % buffers_, half_l0 = step_ % 2;
      LocalTensor<half> a1(TPosition::A1, u(slot) * 65536, base_m_ * base_k_);
      LocalTensor<half> b1(TPosition::B1, u(slot) * 65536 + 32768, base_k_ * base_n_);
      LocalTensor<half> a2(TPosition::A2, u(half_l0) * 32768, base_m_ * base_k_);
      LocalTensor<half> b2(TPosition::B2, u(half_l0) * 32768, base_k_ * base_n_);
      WaitFlag<HardEvent::MTE1_MTE2>(slot);
      DataCopy(a1, a[uint64_t{row} * k_ + k0], params(base_m_, base_k_, k_));
      DataCopy(b1, b[uint64_t{k0} * n_ + column], params(base_k_, base_n_, n_));
      SetFlag<HardEvent::MTE2_MTE1>(slot);
      WaitFlag<HardEvent::MTE2_MTE1>(slot);
      WaitFlag<HardEvent::M_MTE1>(half_l0);
      load(a2, a1, b2, b1);
      SetFlag<HardEvent::MTE1_MTE2>(slot);
      SetFlag<HardEvent::MTE1_M>(half_l0);
      WaitFlag<HardEvent::MTE1_M>(half_l0);
      if (k0 == 0) WaitFlag<HardEvent::FIX_M>(0);
      Mmad(co1_, a2, b2,
           MmadParams(narrow(base_m_), narrow(base_n_), narrow(base_k_), 0, false, k0 == 0));
      SetFlag<HardEvent::M_MTE1>(half_l0);
    }
    SetFlag<HardEvent::M_FIX>(0);
    WaitFlag<HardEvent::M_FIX>(0);
    Fixpipe(c[uint64_t{row} * n_ + column], co1_,
            FixpipeParamsV220(narrow(base_n_), narrow(base_m_), narrow(base_m_), n_, false));
    SetFlag<HardEvent::FIX_M>(0);
  }

  static uint16_t narrow(uint32_t x) { return static_cast<uint16_t>(x); }
  static Nd2NzParams params(uint32_t rows, uint32_t columns, uint32_t pitch) {
    return Nd2NzParams(1, narrow(rows), narrow(columns), 0, narrow(pitch), narrow(rows), 1, 0);
  }
  void load(const LocalTensor<half>& a2, const LocalTensor<half>& a1, const LocalTensor<half>& b2,
            const LocalTensor<half>& b1) {
    const uint32_t rows = base_m_ / 16, steps = base_k_ / 16, columns = base_n_ / 16;
    for (uint32_t s = 0; s < steps; ++s)
      LoadData(a2[s * 256], a1[s * base_m_ * 16],
               LoadData2DParams(0, static_cast<uint8_t>(rows), 1, 0, narrow(steps - 1), false, 0));
    for (uint32_t s = 0; s < steps; ++s)
      LoadData(
          b2[s * base_n_ * 16], b1,
          LoadData2DParams(narrow(s), static_cast<uint8_t>(columns), narrow(steps), 0, 0, true, 0));
  }

  const uint32_t single_m_ = u(tiling.singleCoreM), single_n_ = u(tiling.singleCoreN);
  const uint32_t k_ = u(tiling.singleCoreK), n_ = u(tiling.N);
  const uint32_t base_m_ = u(tiling.baseM), base_n_ = u(tiling.baseN), base_k_ = u(tiling.baseK);
  const int32_t buffers_ = tiling.depthA1;
  int32_t step_ = 0;
  LocalTensor<float> co1_{TPosition::CO1, 0, 128 * 256};
};

void by_hand(void* const* args) { ByHand().run(args); }

TCubeTiling cut(int m, int n, int k, int base_m, int base_n, int base_k, int depth) {
  TCubeTiling t{};
  t.usedCoreNum = 1;
  t.M = t.singleCoreM = m;
  t.N = t.singleCoreN = n;
  t.Ka = t.Kb = t.singleCoreK = k;
  t.baseM = base_m;
  t.baseN = base_n;
  t.baseK = base_k;
  t.stepM = t.stepN = t.stepKa = t.stepKb = 1;
  t.depthA1 = t.depthB1 = depth;
  t.dbL0A = t.dbL0B = 2;
  t.dbL0C = 1;
  return t;
}

struct Timing {
  TimedResult times;
  std::vector<float> c;
};

template <KernelBody aiv, KernelBody aic = aiv>
Timing timed(int32_t task = OPK_TASK_AIC_ONLY, unsigned threads = 1) {
  const auto size = [](int rows, int columns) {
    return static_cast<size_t>(rows) * static_cast<size_t>(columns);
  };
  std::vector<half> x(size(tiling.M, tiling.Ka)), y(size(tiling.Kb, tiling.N));
  for (size_t i = 0; i < x.size(); ++i) x[i] = half(static_cast<float>(i % 7) - 3);
  for (size_t i = 0; i < y.size(); ++i) y[i] = half(static_cast<float>(i % 5) - 2);
  Timing run_;
  run_.c.resize(size(tiling.M, tiling.N));
  Timed observer{rates_910b1()};
  LaunchSetup setup;
  setup.task_type = task;
  setup.blocks = sides * sides;
  setup.threads = threads;
  setup.observer = &observer;
  setup.gm = {{reinterpret_cast<uint8_t*>(x.data()), x.size() * 2, "a", false, false},
              {reinterpret_cast<uint8_t*>(y.data()), y.size() * 2, "b", false, false},
              {reinterpret_cast<uint8_t*>(run_.c.data()), run_.c.size() * 4, "c", true, false}};
  const LaunchReport report = run<aiv, aic>({x.data(), y.data(), run_.c.data()}, setup);
  EXPECT_TRUE(report.ok()) << report.faults[0].message;
  run_.times = observer.result();
  return run_;
}

void expect_alike(const Timing& by_object, const Timing& basic, double band) {
  EXPECT_EQ(by_object.c, basic.c);
  const TimedResult &o = by_object.times, &h = basic.times;
  EXPECT_EQ(o.traffic.gm_to_l1, h.traffic.gm_to_l1);
  EXPECT_EQ(o.traffic.l0c_to_gm, h.traffic.l0c_to_gm);
  EXPECT_EQ(o.traffic.l1_to_l0a, h.traffic.l1_to_l0a);
  EXPECT_EQ(o.traffic.l1_to_l0b, h.traffic.l1_to_l0b);
  EXPECT_EQ(o.traffic.cube_operations, h.traffic.cube_operations);
  EXPECT_EQ(o.traffic.l2_read_hits + o.traffic.l2_read_misses,
            h.traffic.l2_read_hits + h.traffic.l2_read_misses);
  ASSERT_EQ(o.cores.size(), h.cores.size());
  EXPECT_EQ(o.instructions.at({kM, "Matmul::Iterate"}).count,
            h.instructions.at({kM, "Mmad"}).count);
  const auto ratio = static_cast<double>(o.cycles) / static_cast<double>(h.cycles);
  EXPECT_GT(ratio, 1 - band) << o.cycles << " against " << h.cycles;
  EXPECT_LT(ratio, 1 + band) << o.cycles << " against " << h.cycles;
}

class TimedMatmul : public ::testing::Test {
 protected:
  void TearDown() override { sides = 1; }
};

// With one buffer MTE1 is exposed, where the basic kernel has ten LoadData per step and the object
// two; with more it is hidden.
TEST_F(TimedMatmul, CostsWhatTheSameTilingCostsByTheBasicApi) {
  for (const int depth : {1, 2, 4}) {
    tiling = cut(256, 512, 1024, 128, 128, 64, depth);
    expect_alike(timed<object<>>(), timed<by_hand>(), depth == 1 ? 0.12 : 0.01);
  }
}

TEST_F(TimedMatmul, SharesGmWithTheOtherCoresAsTheBasicApiDoes) {
  sides = 2;
  tiling = cut(256, 256, 512, 128, 128, 64, 2);
  tiling.singleCoreM = tiling.singleCoreN = 128;
  expect_alike(timed<object<>>(), timed<by_hand>(), 0.02);
}

TEST_F(TimedMatmul, KeepsEveryPipeBusyWithItsPart) {
  tiling = cut(256, 512, 1024, 128, 128, 64, 2);
  const TimedResult t = timed<object<>>().times;
  const CoreTimes& core = t.cores.at(0);
  const uint64_t blocks = 2 * 4, steps = 16;
  EXPECT_EQ(t.traffic.gm_to_l1, blocks * 1024 * (128 + 128) * 2);
  EXPECT_EQ(t.traffic.l0c_to_gm, 256u * 512 * 4);
  EXPECT_EQ(t.traffic.cube_operations, 256u * 512 * 1024 * 2);
  EXPECT_EQ(core.pipes[kM].instructions, blocks * steps);
  EXPECT_EQ(core.pipes[kMte1].instructions, blocks * steps * 2);
  EXPECT_EQ(core.pipes[kMte2].instructions, blocks * steps * 2);
  EXPECT_EQ(core.pipes[kFix].instructions, blocks);
  EXPECT_GE(core.pipes[kM].busy, blocks * steps * (128 * 128 * 64 / 4096));
  EXPECT_LT(core.pipes[kS].busy, core.pipes[kM].busy);
  EXPECT_EQ(core.pipes[kV].instructions, 0u);
}

TEST_F(TimedMatmul, DoubleBuffersInL1Overlap) {
  tiling = cut(256, 512, 1024, 128, 128, 64, 1);
  const TimedResult one = timed<object<>>().times;
  tiling.depthA1 = tiling.depthB1 = 2;
  const TimedResult two = timed<object<>>().times;
  EXPECT_LT(two.cycles * 10, one.cycles * 9);
  EXPECT_EQ(two.traffic.gm_to_l1, one.traffic.gm_to_l1);
  EXPECT_GT(one.cores[0].pipes[kMte2].waiting_for[kMte1],
            two.cores[0].pipes[kMte2].waiting_for[kMte1]);
}

// Four base blocks of K with one copy: rows of 512 bytes instead of 128.
TEST_F(TimedMatmul, BigPacketsAreFewerAndFaster) {
  tiling = cut(256, 512, 1024, 128, 128, 64, 2);
  const TimedResult small = timed<object<>>().times;
  tiling.stepKa = tiling.stepKb = 4;
  tiling.depthA1 = tiling.depthB1 = 8;
  const TimedResult big = timed<object<CFG_MDL>>().times;
  EXPECT_EQ(big.traffic.gm_to_l1, small.traffic.gm_to_l1);
  EXPECT_EQ(big.cores[0].pipes[kMte2].instructions * 4, small.cores[0].pipes[kMte2].instructions);
  EXPECT_LT(big.cycles, small.cycles);
}

// All of K fits: A's rows stay in L1 while N runs.
TEST_F(TimedMatmul, WhatIsInL1IsNotLoadedAgain) {
  tiling = cut(128, 512, 256, 128, 128, 64, 4);
  tiling.depthB1 = 2;
  tiling.iterateOrder = 1;
  EXPECT_EQ(timed<object<>>().times.traffic.gm_to_l1, (128u * 256 + 512 * 256) * 2);
  tiling.depthA1 = 2;
  EXPECT_EQ(timed<object<>>().times.traffic.gm_to_l1, (4 * 128u * 256 + 512 * 256) * 2);
}

void in_two_partial_sums(void* const* args) {
  take(args);
  Object<CFG_NORM> mm;
  mm.Init(&tiling);
  mm.SetTail(128, 128, 256);
  for (uint32_t half_k = 0; half_k < 2; ++half_k) {
    mm.SetTensorA(a[half_k * 256]);
    mm.SetTensorB(b[half_k * 256 * 128]);
    mm.Iterate(half_k > 0);
  }
  mm.GetTensorC(c);
}

TEST_F(TimedMatmul, PartialSumsAreStoredOnce) {
  tiling = cut(128, 128, 512, 128, 128, 64, 2);
  const Timing parts = timed<in_two_partial_sums>(), whole = timed<object<>>();
  EXPECT_EQ(parts.c, whole.c);
  EXPECT_EQ(parts.times.traffic.l0c_to_gm, whole.times.traffic.l0c_to_gm);
  EXPECT_EQ(parts.times.traffic.gm_to_l1, whole.times.traffic.gm_to_l1);
  EXPECT_EQ(parts.times.cores[0].pipes[kM].instructions,
            whole.times.cores[0].pipes[kM].instructions);
}

TEST_F(TimedMatmul, IsTheSameForEveryThreadCount) {
  sides = 2;
  tiling = cut(256, 256, 512, 128, 128, 64, 2);
  tiling.singleCoreM = tiling.singleCoreN = 128;
  const TimedResult one = timed<object<>>().times,
                    four = timed<object<>>(OPK_TASK_AIC_ONLY, 4).times;
  EXPECT_EQ(one.cycles, four.cycles);
  for (size_t i = 0; i < one.cores.size(); ++i) {
    EXPECT_EQ(one.cores[i].end, four.cores[i].end);
    for (size_t p = 0; p < kTimedPipes; ++p)
      EXPECT_EQ(one.cores[i].pipes[p].busy, four.cores[i].pipes[p].busy);
  }
}

// In a mixed launch a vector core asks and the cube core works.
void nothing(void* const*) {}

void from_vector_core(void* const* args) {
  if (GetSubBlockIdx() == 0) object<>(args);
}

TEST_F(TimedMatmul, TheCubeCoreWorksForItsVectorCores) {
  tiling = cut(256, 512, 1024, 128, 128, 64, 2);
  const Timing alone = timed<object<>>();
  const Timing asked = timed<from_vector_core, nothing>(OPK_TASK_MIX_1_2);
  EXPECT_EQ(asked.c, alone.c);
  ASSERT_EQ(asked.times.cores.size(), 3u);
  const CoreTimes &cube = asked.times.cores[0], &vector = asked.times.cores[1];
  ASSERT_EQ(cube.kind, OPK_CORE_AIC);
  EXPECT_EQ(cube.pipes[kM].busy, alone.times.cores[0].pipes[kM].busy);
  EXPECT_EQ(cube.traffic.gm_to_l1, alone.times.traffic.gm_to_l1);
  EXPECT_EQ(vector.pipes[kM].instructions, 0u);
  EXPECT_EQ(vector.pipes[kMte2].instructions, 0u);
  EXPECT_EQ(vector.traffic.gm_to_l1, 0u);
  // The vector core goes on when C is there: two messages later than the work alone.
  const TimingRates& rates = rates_910b1();
  EXPECT_GE(vector.end, alone.times.cycles + 2 * rates.cross_flag - 1);
  EXPECT_LE(vector.end, alone.times.cycles + 2 * rates.cross_flag + 200);
  EXPECT_GT(vector.pipes[kS].waiting_for_cores, alone.times.cycles * 9 / 10);
}

void halves(void* const* args) {
  take(args);
  const uint32_t row = static_cast<uint32_t>(GetSubBlockIdx()) * 128;
  Object<CFG_NORM> mm;
  mm.Init(&tiling);
  mm.SetTensorA(a[row * 512]);
  mm.SetTensorB(b);
  mm.IterateAll(c[row * 256]);
}

TEST_F(TimedMatmul, TwoVectorCoresShareOneCubeCore) {
  tiling = cut(256, 256, 512, 128, 128, 64, 2);
  tiling.singleCoreM = 128;
  const Timing both = timed<halves, nothing>(OPK_TASK_MIX_1_2);
  tiling.singleCoreM = 256;
  const Timing one = timed<from_vector_core, nothing>(OPK_TASK_MIX_1_2);
  EXPECT_EQ(both.c, one.c);
  EXPECT_EQ(both.times.cores[0].pipes[kM].instructions, one.times.cores[0].pipes[kM].instructions);
  EXPECT_EQ(both.times.cores[0].traffic.gm_to_l1, one.times.cores[0].traffic.gm_to_l1);
  EXPECT_GT(both.times.cycles * 10, one.times.cycles * 9);
  EXPECT_LT(both.times.cycles * 10, one.times.cycles * 11);
}

// Vector work between IterateAll<false> and WaitIterateAll.
template <bool sync>
void with_vector_work(void* const* args) {
  take(args);
  if (GetSubBlockIdx() == 1) return;
  Object<CFG_NORM> mm;
  mm.Init(&tiling);
  mm.SetTensorA(a);
  mm.SetTensorB(b);
  mm.template IterateAll<sync>(c);
  LocalTensor<float> t(TPosition::VECCALC, 0, 16384);
  for (int i = 0; i < 40; ++i) Duplicate(t, 1.0f, 16384);
  PipeBarrier<PIPE_ALL>();
  mm.WaitIterateAll();
}

TEST_F(TimedMatmul, AsynchronousCallsLeaveTheVectorCoreFree) {
  tiling = cut(128, 128, 1024, 128, 128, 64, 2);
  const auto waits = timed<with_vector_work<true>, nothing>(OPK_TASK_MIX_1_2).times;
  const auto runs_on = timed<with_vector_work<false>, nothing>(OPK_TASK_MIX_1_2).times;
  const uint64_t vector = waits.cores[1].pipes[kV].busy;
  EXPECT_GT(vector, 5000u);
  EXPECT_LE(runs_on.cycles + vector - 100, waits.cycles);
  EXPECT_EQ(runs_on.cores[0].pipes[kM].busy, waits.cores[0].pipes[kM].busy);
  EXPECT_GE(runs_on.cores[1].end, runs_on.cores[0].end - 1);  // it waited in the end
}

// C to UB and A out of it take the way through GM.
void through_ub(void* const* args) {
  take(args);
  if (GetSubBlockIdx() == 1) return;
  using Ub = MatmulType<TPosition::VECOUT, CubeFormat::ND, half>;
  using Gm = MatmulType<TPosition::GM, CubeFormat::ND, half>;
  Matmul<Ub, Gm, MatmulType<TPosition::VECIN, CubeFormat::ND, float>> mm;
  LocalTensor<half> x(TPosition::VECOUT, 0, 64 * 64);
  LocalTensor<float> y(TPosition::VECIN, 65536, 64 * 64);
  DataCopy(x, a, 64 * 64);
  PipeBarrier<PIPE_ALL>();
  mm.Init(&tiling);
  mm.SetTensorA(x);
  mm.SetTensorB(b);
  mm.IterateAll(y);
  DataCopy(c, y, 64 * 64);
}

TEST_F(TimedMatmul, LocalOperandsTakeTheWayThroughGm) {
  tiling = cut(64, 64, 64, 64, 64, 64, 1);
  const auto t = timed<through_ub, nothing>(OPK_TASK_MIX_1_2).times;
  EXPECT_EQ(t.traffic.gm_to_l1, 2u * 64 * 64 * 2);
  EXPECT_EQ(t.traffic.l0c_to_gm, 64u * 64 * 4);
  EXPECT_EQ(t.cores[1].traffic.gm_to_ub, 64u * 64 * (2 + 4));
  EXPECT_EQ(t.cores[1].traffic.ub_to_gm, 64u * 64 * (2 + 4));
  EXPECT_GT(t.cores[1].pipes[kMte3].busy, 0u);
  EXPECT_EQ(t.cores[0].pipes[kFix].instructions, 1u);
}

// Plugins that were built before the steps existed: the block counts as one made without buffers.
void (*engine)(opk_core*, const opk_matmul_v1*);
void without_steps(opk_core* core, const opk_matmul_v1* x) {
  opk_matmul_v1 old = *x;
  old.tail = OPK_MATMUL_ENDS;
  std::memset(static_cast<void*>(&old.steps), 0xff, sizeof old.steps);
  engine(core, &old);
}
void older_object(void* const* args) {
  static opk_isa_v1 table;
  table = *AscendC::detail::core()->isa;
  engine = table.matmul;
  table.matmul = without_steps;
  AscendC::detail::core()->isa = &table;
  object<>(args);
}

TEST_F(TimedMatmul, CallsWithoutStepsAreCounted) {
  tiling = cut(128, 128, 256, 128, 128, 64, 2);
  const Timing old = timed<older_object>(), now = timed<object<>>();
  EXPECT_EQ(old.c, now.c);
  EXPECT_EQ(old.times.traffic.gm_to_l1, now.times.traffic.gm_to_l1);
  EXPECT_EQ(old.times.traffic.cube_operations, now.times.traffic.cube_operations);
  EXPECT_GT(old.times.cycles, now.times.cycles);
}

}  // namespace
}  // namespace opkit::core::test
