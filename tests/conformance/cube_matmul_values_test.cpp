// Operands of a Matmul object that are values, and calls that its configuration switches off.
#include <gtest/gtest.h>

#include "opkit/include/lib/matmul_intf.h"
#include "tests/conformance/cube_matrices.h"
#include "tests/conformance/matmul_tilings.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

template <typename T, bool shared = false>
using In = MatmulType<TPosition::GM, CubeFormat::ND, T, false, LayoutMode::NONE, shared>;
using Out = MatmulType<TPosition::GM, CubeFormat::ND, float>;

template <typename T>
GlobalTensor<T> global(void* data) {
  GlobalTensor<T> t;
  t.SetGlobalBuffer(static_cast<T*>(data));
  return t;
}

TCubeTiling tiling;
constexpr uint32_t kM = 37, kN = 45, kK = 70;

// Small whole numbers, whose sums are exact.
template <typename T>
std::vector<T> numbers(size_t n, uint32_t seed) {
  std::mt19937 engine(seed);
  std::vector<T> v(n);
  for (T& x : v) x = T(static_cast<float>(static_cast<int>(engine() % 17) - 8));
  return v;
}

// "A value becomes a row of K of them; 1 sums B along K" (page "SetTensorA"), and so for B.
// args: the matrix, C, bias.
template <typename T, bool left>
void with_a_value(void* const* args) {
  using Value = MatmulType<TPosition::GM, CubeFormat::SCALAR, T>;
  Matmul<std::conditional_t<left, Value, In<T>>, std::conditional_t<left, In<T>, Value>, Out> mm;
  mm.Init(&tiling);
  if constexpr (left) {
    mm.SetTensorA(T(3.0f));
    mm.SetTensorB(global<T>(args[0]));
  } else {
    mm.SetTensorA(global<T>(args[0]));
    mm.SetTensorB(T(3.0f), false);
  }
  mm.SetBias(global<float>(args[2]));
  mm.IterateAll(global<float>(args[1]));
  // Runs the object with a matrix again: row 0 or column 0 of the first matrix.
  if constexpr (left) {
    mm.SetTensorA(global<T>(args[0]));
    mm.ClearBias();
    mm.IterateAll(global<float>(args[1])[kN]);
  }
}

template <typename T>
void sum_columns_and_rows() {
  auto b = numbers<T>(kK * kN, 1);
  auto bias = numbers<float>(kN, 2);
  tiling = tiling_of(1, kN, kK, {16, 32, 32});
  tiling.isBias = 1;
  std::vector<float> c(2 * kN);
  LaunchReport report = run<with_a_value<T, true>>({b.data(), c.data(), bias.data()});
  ASSERT_TRUE(report.ok()) << report.faults[0].message;
  for (uint32_t j = 0; j < kN; ++j) {
    float sum = bias[j], row = 0;
    for (uint32_t k = 0; k < kK; ++k) {
      sum += 3.0f * static_cast<float>(b[k * kN + j]);
      row += static_cast<float>(b[k]) * static_cast<float>(b[k * kN + j]);
    }
    ASSERT_EQ(c[j], sum) << j;
    ASSERT_EQ(c[kN + j], row) << j;
  }
  auto a = numbers<T>(kM * kK, 3);
  tiling = tiling_of(kM, 1, kK, {32, 16, 32});
  tiling.isBias = 1;
  std::vector<float> sums(kM);
  report = run<with_a_value<T, false>>({a.data(), sums.data(), bias.data()});
  ASSERT_TRUE(report.ok()) << report.faults[0].message;
  for (uint32_t i = 0; i < kM; ++i) {
    float sum = bias[0];
    for (uint32_t k = 0; k < kK; ++k) sum += 3.0f * static_cast<float>(a[i * kK + k]);
    ASSERT_EQ(sums[i], sum) << i;
  }
}

TEST(MatmulValues, HalvesSumColumnsAndRows) { sum_columns_and_rows<half>(); }
TEST(MatmulValues, FloatsSumColumnsAndRows) { sum_columns_and_rows<float>(); }

void batches_of_a_value(void* const* args) {
  Matmul<In<half>, In<half>, Out> mm;
  mm.Init(&tiling);
  mm.SetTensorA(half(1.0f));
  mm.SetTensorB(global<half>(args[0]));
  mm.IterateBatch(global<float>(args[1]), 1, 1, false);
}

TEST(MatmulValues, HaveNoBatches) {
  auto b = numbers<half>(kK * kN, 4);
  std::vector<float> c(kN);
  tiling = tiling_of(1, kN, kK);
  const LaunchReport report = run<batches_of_a_value>({b.data(), c.data()});
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].code, "EK1714");
}

// "With fakeMsg nothing is computed" (page "IterateAll"): it is for objects that share a matrix.
template <const MatmulConfig& config, bool shared>
void fake(void* const* args) {
  Matmul<In<half, shared>, In<half>, Out, Out, config> mm;
  mm.Init(&tiling);
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]));
  mm.IterateAll(global<float>(args[2]), 1, false, false, true);
  mm.IterateAll(global<float>(args[2]), 1);
}

constexpr MatmulConfig kShared = GetIBShareNormConfig(), kNorm = GetNormalConfig();

TEST(MatmulSwitches, FakeMessagesComputeNothing) {
  auto a = numbers<half>(kM * kK, 5), b = numbers<half>(kK * kN, 6);
  const auto expected = product<float>(a, b, kM, kN, kK);
  tiling = tiling_of(kM, kN, kK, {16, 32});
  std::vector<float> c(kM * kN);
  ASSERT_TRUE((run<fake<kShared, false>>({a.data(), b.data(), c.data()}).ok()));
  EXPECT_EQ(c, expected);
  c.assign(kM * kN, 0.0f);
  ASSERT_TRUE((run<fake<kNorm, true>>({a.data(), b.data(), c.data()}).ok()));
  EXPECT_EQ(c, expected);
}

// Page "MatmulConfig": false takes what a call does away when the kernel is compiled.
constexpr MatmulConfig without_calls() {
  MatmulConfig c = CFG_NORM;
  c.enableSetOrgShape = c.enableSetBias = c.enableSetTail = false;
  c.enableQuantVector = c.enableSetDefineData = false;
  return c;
}
constexpr MatmulConfig kWithoutCalls = without_calls();

void switched_off(void* const* args) {
  Matmul<In<half>, In<half>, Out, Out, kWithoutCalls> mm;
  mm.Init(&tiling);
  mm.SetOrgShape(5, 6, 7);
  mm.SetTail(3, 4, 5);
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]));
  mm.SetBias(global<float>(args[3]));
  mm.SetQuantScalar(1);
  mm.SetQuantVector(global<uint64_t>(args[3]));
  mm.SetSelfDefineData(1);
  while (mm.Iterate()) mm.GetTensorC(global<float>(args[2]));
}

void switched_on_single_shape(void* const* args) {
  Matmul<In<half>, In<half>, Out, Out, kWithoutCalls> mm;
  mm.Init(&tiling);
  mm.SetSingleShape(3, 4, 5);
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]));
  mm.IterateAll(global<float>(args[2]));
}

TEST(MatmulSwitches, CallsThatTheConfigurationSwitchesOffDoNothing) {
  auto a = numbers<half>(kM * kK, 7), b = numbers<half>(kK * kN, 8);
  auto bias = numbers<float>(kN, 9);
  tiling = tiling_of(kM, kN, kK, {16, 32});
  for (const int is_bias : {0, 1}) {
    tiling.isBias = is_bias;
    std::vector<float> c(kM * kN);
    ASSERT_TRUE((run<switched_off>({a.data(), b.data(), c.data(), bias.data()}).ok()));
    EXPECT_EQ(c, product<float>(a, b, kM, kN, kK));
  }
  std::vector<float> c(kM * kN);
  ASSERT_TRUE((run<switched_on_single_shape>({a.data(), b.data(), c.data()}).ok()));
  for (uint32_t i = 0; i < 3; ++i)
    for (uint32_t j = 0; j < 4; ++j) {
      float sum = 0;
      for (uint32_t k = 0; k < 5; ++k)
        sum += static_cast<float>(a[i * kK + k]) * static_cast<float>(b[k * kN + j]);
      ASSERT_EQ(c[i * kN + j], sum);
    }
  EXPECT_EQ(c[4], 0.0f);
}

// "Not in sequence: to the block's place in singleCoreM x singleCoreN; in sequence: baseM x baseN"
// (page "GetTensorC"), in local memory, too.
template <CubeFormat format>
void into_ub(void* const* args) {
  Matmul<In<half>, In<half>, MatmulType<TPosition::VECIN, format, float>> mm;
  mm.Init(&tiling);
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]));
  const LocalTensor<float> all(TPosition::VECIN, 0, 64 * 64), block(TPosition::VECIN, 16384, 1024);
  while (mm.Iterate()) {
    mm.GetTensorC(all);
    mm.GetTensorC(block, 0, true);
  }
  std::memcpy(args[2], reinterpret_cast<const void*>(all.GetPhyAddr()), 4096 * 4);
  std::memcpy(args[3], reinterpret_cast<const void*>(block.GetPhyAddr()), 1024 * 4);
}

TEST(MatmulSwitches, LocalBlocksLieAtTheirPlacesOrInSequence) {
  auto a = numbers<half>(kM * kK, 15), b = numbers<half>(kK * kN, 16);
  const auto expected = product<float>(a, b, kM, kN, kK);
  tiling = tiling_of(kM, kN, kK, {16, 32});
  std::vector<float> rows(4096), aligned(4096), panels(4096), last(1024);
  ASSERT_TRUE((run<into_ub<CubeFormat::ND>>({a.data(), b.data(), rows.data(), last.data()}).ok()));
  for (uint32_t i = 32; i < kM; ++i)
    for (uint32_t j = 32; j < kN; ++j)
      ASSERT_EQ(last[(i - 32) * 32 + j - 32], expected[i * kN + j]);
  ASSERT_TRUE(
      (run<into_ub<CubeFormat::ND_ALIGN>>({a.data(), b.data(), aligned.data(), last.data()}).ok()));
  ASSERT_TRUE(
      (run<into_ub<CubeFormat::NZ>>({a.data(), b.data(), panels.data(), last.data()}).ok()));
  for (uint32_t i = 0; i < kM; ++i)
    for (uint32_t j = 0; j < kN; ++j) {
      ASSERT_EQ(rows[i * kN + j], expected[i * kN + j]);
      ASSERT_EQ(aligned[i * up(kN, 8) + j], expected[i * kN + j]);
      ASSERT_EQ(panels[nz(i, j, kM, 16)], expected[i * kN + j]);
    }
}

// The arguments that the page "GetTensorC" gives up may still be there.
void with_all_arguments(void* const* args) {
  Matmul<In<half>, In<half>, MatmulType<TPosition::VECIN, CubeFormat::ND, float>> mm;
  mm.Init(&tiling);
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]));
  const LocalTensor<float> block(TPosition::VECIN, 0, 16 * 16);
  mm.Iterate();
  mm.template GetTensorC<true, false>(block, 0, true, 0, 0, 0, 0);
  for (uint32_t i = 0; i < 256; ++i) static_cast<float*>(args[2])[i] = block.GetValue(i);
}

TEST(MatmulSwitches, PaddingOfFetchedBlocksIsGivenUp) {
  auto a = numbers<half>(16 * kK, 13), b = numbers<half>(kK * 16, 14);
  tiling = tiling_of(16, 16, kK);
  std::vector<float> c(256);
  ASSERT_TRUE((run<with_all_arguments>({a.data(), b.data(), c.data()}).ok()));
  EXPECT_EQ(c, product<float>(a, b, 16, 16, kK));
}

// enAtomic: 1 adds, 2 keeps the larger, 3 the smaller (page "IterateAll").
uint8_t atomic = 0;
void atomically(void* const* args) {
  Matmul<In<half>, In<half>, Out> mm;
  mm.Init(&tiling);
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]));
  mm.IterateAll(global<float>(args[2]), atomic);
}

TEST(MatmulValues, AtomicsAddAndKeepTheLargerOrSmaller) {
  auto a = numbers<half>(kM * kK, 10), b = numbers<half>(kK * kN, 11);
  const auto products = product<float>(a, b, kM, kN, kK);
  tiling = tiling_of(kM, kN, kK, {16, 32});
  const auto before = numbers<float>(kM * kN, 12);
  for (const uint8_t mode : {1, 2, 3}) {
    atomic = mode;
    auto c = before;
    ASSERT_TRUE((run<atomically>({a.data(), b.data(), c.data()}).ok()));
    for (size_t i = 0; i < c.size(); ++i) {
      const float x = before[i], y = products[i];
      ASSERT_EQ(c[i], mode == 1 ? x + y : mode == 2 ? std::max(x, y) : std::min(x, y)) << +mode;
    }
  }
}

}  // namespace
}  // namespace opkit::core::test
