// A Matmul object with a 4:2 sparse B in Timed mode: half of B, its index, half of the products.
#include <gtest/gtest.h>

#include "opkit/core/modes/timed.h"
#include "opkit/include/lib/matmul_intf.h"
#include "tests/rates_910b1.h"
#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

constexpr uint32_t kM = 128, kN = 256, kK = 512;

template <typename T>
GlobalTensor<T> global(void* data) {
  GlobalTensor<T> t;
  t.SetGlobalBuffer(static_cast<T*>(data));
  return t;
}

// args: A, B, index, C.
template <bool sparse>
void object(void* const* args) {
  using A = MatmulType<TPosition::GM, CubeFormat::ND, int8_t>;
  using Dense = MatmulType<TPosition::GM, CubeFormat::ND, int8_t, true>;
  using Sparse = SparseMatmulType<TPosition::GM, TPosition::GM, CubeFormat::ND, int8_t, true>;
  using C = MatmulType<TPosition::GM, CubeFormat::ND, int32_t>;
  TCubeTiling t{};
  t.M = t.singleCoreM = kM;
  t.N = t.singleCoreN = kN;
  t.Ka = t.Kb = t.singleCoreK = kK;
  t.baseM = t.baseN = t.baseK = 128;
  t.stepM = t.stepN = t.stepKa = t.stepKb = 1;
  t.depthA1 = t.depthB1 = t.dbL0A = t.dbL0B = 2;
  t.dbL0C = 1;
  Matmul<A, std::conditional_t<sparse, Sparse, Dense>, C, C, CFG_MDL> mm;
  mm.Init(&t);
  mm.SetTensorA(global<int8_t>(args[0]));
  mm.SetTensorB(global<int8_t>(args[1]), true);
  if constexpr (sparse) mm.SetSparseIndex(global<uint8_t>(args[2]));
  mm.IterateAll(global<int32_t>(args[3]));
}

template <bool sparse>
TimedResult timed() {
  std::vector<int8_t> a(kM * kK, 1), b(kN * kK, 1);
  std::vector<uint8_t> index(kN * kK / 8, 0);
  std::vector<int32_t> c(kM * kN);
  Timed observer{rates_910b1()};
  LaunchSetup setup;
  setup.task_type = OPK_TASK_AIC_ONLY;
  setup.observer = &observer;
  const LaunchReport report =
      run<object<sparse>>({a.data(), b.data(), index.data(), c.data()}, setup);
  EXPECT_TRUE(report.ok()) << report.faults[0].message;
  EXPECT_EQ(c, std::vector<int32_t>(kM * kN, sparse ? kK / 2 : kK));
  return observer.result();
}

TEST(TimedSparse, MovesAndMultipliesWhatBKeeps) {
  const TimedResult dense = timed<false>(), sparse = timed<true>();
  const uint64_t a = 2 * kM * kK, b = kN * kK;  // A comes once per block of columns
  EXPECT_EQ(dense.traffic.gm_to_l1, a + b);
  EXPECT_EQ(sparse.traffic.gm_to_l1, a + b / 2 + b / 8);
  EXPECT_EQ(sparse.traffic.l1_to_l0a, dense.traffic.l1_to_l0a);
  EXPECT_EQ(sparse.traffic.l1_to_l0b * 2, dense.traffic.l1_to_l0b);
  EXPECT_EQ(sparse.traffic.cube_operations * 2, dense.traffic.cube_operations);
  constexpr size_t kCubePipe = 2;
  EXPECT_LT(sparse.cores[0].pipes[kCubePipe].busy, dense.cores[0].pipes[kCubePipe].busy);
}

}  // namespace
}  // namespace opkit::core::test
