// The Matmul object, and a matrix product by hand through L1, L0 and Fixpipe, against plain loops.
#include "opkit/include/lib/matmul_intf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/conformance/cube_matrices.h"
#include "tests/conformance/matmul_tilings.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::HasSubstr;

TCubeTiling tiling;
uint8_t atomic = 0;
bool in_sequence = false, with_bias = false;

template <typename T, typename C, bool ta, bool tb>
void object(void* const* args) {
  TPipe pipe;
  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, T, ta>,
         MatmulType<TPosition::GM, CubeFormat::ND, T, tb>,
         MatmulType<TPosition::GM, CubeFormat::ND, C>>
      mm;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
  GlobalTensor<T> a, b;
  GlobalTensor<C> c, bias;
  a.SetGlobalBuffer(static_cast<T*>(args[0]));
  b.SetGlobalBuffer(static_cast<T*>(args[1]));
  c.SetGlobalBuffer(static_cast<C*>(args[2]));
  bias.SetGlobalBuffer(static_cast<C*>(args[3]));
  mm.SetTensorA(a, ta);
  mm.SetTensorB(b, tb);
  if (with_bias) mm.SetBias(bias);
  mm.IterateAll(c, atomic, in_sequence);
  mm.End();
}

TCubeTiling sizes(int m, int n, int k, int base_m, int base_n, int order) {
  TCubeTiling t = tiling_of(m, n, k, {base_m, base_n});
  t.iterateOrder = order;
  t.isBias = with_bias;
  return t;
}

template <typename T>
std::vector<T> transposed(const std::vector<T>& v, uint32_t rows, uint32_t columns) {
  std::vector<T> out(v.size());
  for (uint32_t r = 0; r < rows; ++r)
    for (uint32_t c = 0; c < columns; ++c) out[c * rows + r] = v[r * columns + c];
  return out;
}

template <typename T, typename C, bool ta, bool tb>
void compare() {
  const int shapes[][6] = {{33, 47, 70, 16, 16, 0},
                           {33, 47, 70, 32, 48, 1},
                           {1, 5, 3, 16, 16, 0},
                           {128, 64, 1100, 64, 32, 0}};
  for (const auto& s : shapes) {
    for (const bool bias : {false, true}) {
      with_bias = bias;
      tiling = sizes(s[0], s[1], s[2], s[3], s[4], s[5]);
      const auto m = static_cast<uint32_t>(s[0]), n = static_cast<uint32_t>(s[1]),
                 k = static_cast<uint32_t>(s[2]);
      const auto a = noise<T>(size_t{m} * k, 1), b = noise<T>(size_t{k} * n, 2);
      auto biases = noise<C>(n, 3);
      if constexpr (std::is_integral_v<C>)
        for (C& x : biases) x /= 4;
      auto a_in = ta ? transposed(a, m, k) : a, b_in = tb ? transposed(b, k, n) : b;
      std::vector<C> c(size_t{m} * n);
      const LaunchReport report =
          run<object<T, C, ta, tb>>({a_in.data(), b_in.data(), c.data(), biases.data()});
      ASSERT_TRUE(report.ok()) << report.faults[0].message;
      EXPECT_EQ(c, product<C>(a, b, m, n, k, bias ? biases : std::vector<C>{})) << m;
    }
  }
  with_bias = false;
}

TEST(MatmulObject, Half) { compare<half, float, false, false>(); }
TEST(MatmulObject, HalfWithTransposedB) { compare<half, float, false, true>(); }
TEST(MatmulObject, HalfWithTransposedA) { compare<half, float, true, true>(); }
TEST(MatmulObject, Bfloat16) { compare<bfloat16_t, float, false, false>(); }
TEST(MatmulObject, Float) { compare<float, float, true, false>(); }
TEST(MatmulObject, Int8) { compare<int8_t, int32_t, false, true>(); }

// Several objects, one with its tiling behind it, the others given theirs by Init.
void objects(void* const* args) {
  using In = MatmulType<TPosition::GM, CubeFormat::ND, half>;
  using Out = MatmulType<TPosition::GM, CubeFormat::ND, float>;
  TPipe pipe;
  Matmul<In, In, Out> first, second, third;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), first, second, &tiling, third);
  first.Init(&tiling);
  third.Init(&tiling);
  GlobalTensor<half> a, b;
  a.SetGlobalBuffer(static_cast<half*>(args[0]));
  b.SetGlobalBuffer(static_cast<half*>(args[1]));
  auto* c = static_cast<float*>(args[2]);
  const auto multiply = [&](auto& mm, uint32_t which) {
    GlobalTensor<float> product;
    product.SetGlobalBuffer(c + which * 400);
    mm.SetTensorA(a);
    mm.SetTensorB(b);
    mm.IterateAll(product);
    mm.End();
  };
  multiply(first, 0);
  multiply(second, 1);
  multiply(third, 2);
}

TEST(MatmulObject, SeveralOfThem) {
  tiling = sizes(20, 20, 20, 16, 16, 0);
  auto a = noise<half>(400, 1), b = noise<half>(400, 2);
  std::vector<float> c(1200);
  const LaunchReport report = run<objects>({a.data(), b.data(), c.data()});
  ASSERT_TRUE(report.ok()) << report.faults[0].message;
  const auto expected = product<float>(a, b, 20, 20, 20);
  for (size_t i = 0; i < 1200; ++i) ASSERT_EQ(c[i], expected[i % 400]) << i;
}

TEST(MatmulObject, AddsAtomically) {
  tiling = sizes(20, 20, 20, 16, 16, 0);
  auto a = noise<half>(400, 1), b = noise<half>(400, 2);
  std::vector<float> c(400, 2.0f);
  float none = 0;
  atomic = 1;
  ASSERT_TRUE((run<object<half, float, false, false>>({a.data(), b.data(), c.data(), &none}).ok()));
  atomic = 0;
  const auto expected = product<float>(a, b, 20, 20, 20);
  for (size_t i = 0; i < 400; ++i) EXPECT_EQ(c[i], 2.0f + expected[i]);
}

TEST(MatmulObject, WritesBlocksInSequence) {
  tiling = sizes(32, 32, 20, 16, 16, 0);
  auto a = noise<half>(640, 1), b = noise<half>(640, 2);
  std::vector<float> c(1024);
  float none = 0;
  in_sequence = true;
  ASSERT_TRUE((run<object<half, float, false, false>>({a.data(), b.data(), c.data(), &none}).ok()));
  in_sequence = false;
  const auto expected = product<float>(a, b, 32, 32, 20);
  for (uint32_t r = 0; r < 32; ++r)
    for (uint32_t j = 0; j < 32; ++j)
      ASSERT_EQ(c[(j / 16 * 2 + r / 16) * 256 + r % 16 * 16 + j % 16], expected[r * 32 + j]);
}

template <KernelBody body>
Fault refused() {
  std::vector<half> a(4096), b(4096);
  std::vector<float> c(4096);
  float none = 0;
  LaunchSetup setup;
  setup.gm = {{reinterpret_cast<uint8_t*>(a.data()), 512, "a", false},
              {reinterpret_cast<uint8_t*>(b.data()), 512, "b", false},
              {reinterpret_cast<uint8_t*>(c.data()), 1024, "c", true}};
  const LaunchReport report = run<body>({a.data(), b.data(), c.data(), &none}, setup);
  return report.faults.size() == 1 ? report.faults[0] : Fault{};
}

TEST(MatmulObjectRefuses, AMissingTiling) {
  tiling = {};
  EXPECT_EQ((refused<object<half, float, false, false>>().code), "EK1713");
}
TEST(MatmulObjectRefuses, ABiasThatTheTilingDoesNotKnow) {
  tiling = sizes(16, 16, 16, 16, 16, 0);
  with_bias = true;
  EXPECT_EQ((refused<object<half, float, false, false>>().code), "EK1715");
  with_bias = false;
}
TEST(MatmulObjectRefuses, MoreThanGmHas) {
  tiling = sizes(16, 16, 17, 16, 16, 0);
  const Fault fault = refused<object<half, float, false, false>>();
  EXPECT_EQ(fault.code, "EK1004");
  EXPECT_THAT(fault.message, HasSubstr("GM tensor 'a'"));
}
TEST(MatmulObjectRefuses, SharesBehindTheRow) {
  tiling = sizes(16, 16, 16, 16, 16, 0);
  tiling.Ka = 8;
  const Fault fault = refused<object<half, float, false, false>>();
  EXPECT_EQ(fault.code, "EK1711");
  EXPECT_THAT(fault.message, HasSubstr("left matrix needs 16 columns of a matrix of 8"));
}

template <int step>
void misuse(void* const* args) {
  using Half = MatmulType<TPosition::GM, CubeFormat::ND, half>;
  Matmul<Half, Half, MatmulType<TPosition::GM, CubeFormat::ND, float>> mm;
  mm.Init(&tiling);
  GlobalTensor<half> a;
  GlobalTensor<float> c;
  a.SetGlobalBuffer(static_cast<half*>(args[0]));
  c.SetGlobalBuffer(static_cast<float*>(args[2]));
  if (step == 0) mm.SetTensorA(a, true);
  if (step == 1) mm.Iterate();
  if (step == 2) mm.GetTensorC(c);
}
TEST(MatmulObjectRefuses, CallsOutOfOrder) {
  tiling = sizes(16, 16, 16, 16, 16, 0);
  EXPECT_EQ(refused<misuse<0>>().code, "EK1712");
  EXPECT_EQ(refused<misuse<1>>().code, "EK1714");
  EXPECT_EQ(refused<misuse<2>>().code, "EK1716");
}

// A table that ends where this entry begins.
void on_an_older_engine(void* const* args) {
  static opk_isa_v1 older;
  older = *AscendC::detail::core()->isa;
  older.struct_size = offsetof(opk_isa_v1, matmul);
  AscendC::detail::core()->isa = &older;
  object<half, float, false, false>(args);
}
TEST(MatmulObjectRefuses, AnEngineWithoutIt) {
  tiling = sizes(16, 16, 16, 16, 16, 0);
  const Fault fault = refused<on_an_older_engine>();
  EXPECT_EQ(fault.code, "EK1717");
  EXPECT_THAT(fault.message, HasSubstr("older than the Matmul object"));
}

// args: A, B, C. C comes to UB first.
template <CubeFormat format>
void into_ub(void* const* args) {
  using Half = MatmulType<TPosition::GM, CubeFormat::ND, half>;
  Matmul<Half, Half, MatmulType<TPosition::VECIN, format, float>> mm;
  mm.Init(&tiling);
  GlobalTensor<half> a, b;
  a.SetGlobalBuffer(static_cast<half*>(args[0]));
  b.SetGlobalBuffer(static_cast<half*>(args[1]));
  LocalTensor<float> c(TPosition::VECIN, 0, 64 * 64);
  mm.SetTensorA(a);
  mm.SetTensorB(b);
  mm.IterateAll(c, 0, in_sequence);
  std::memcpy(args[2], reinterpret_cast<const void*>(c.GetPhyAddr()), 64 * 64 * 4);
}

TEST(MatmulObject, IteratesAllIntoLocalMemory) {
  tiling = sizes(40, 50, 24, 16, 32, 0);
  auto a = noise<half>(40 * 24, 1), b = noise<half>(24 * 50, 2);
  const auto expected = product<float>(a, b, 40, 50, 24);
  std::vector<float> rows(64 * 64), aligned(64 * 64), panels(64 * 64);
  ASSERT_TRUE((run<into_ub<CubeFormat::ND>>({a.data(), b.data(), rows.data()}).ok()));
  ASSERT_TRUE((run<into_ub<CubeFormat::ND_ALIGN>>({a.data(), b.data(), aligned.data()}).ok()));
  ASSERT_TRUE((run<into_ub<CubeFormat::NZ>>({a.data(), b.data(), panels.data()}).ok()));
  for (uint32_t i = 0; i < 40; ++i)
    for (uint32_t j = 0; j < 50; ++j) {
      ASSERT_EQ(rows[i * 50 + j], expected[i * 50 + j]);
      ASSERT_EQ(aligned[i * 56 + j], expected[i * 50 + j]);
      ASSERT_EQ(panels[nz(i, j, 40, 16)], expected[i * 50 + j]);
    }
}

// SetTail changes what is computed "without changing the tiling" (page "SetTail"), and a local C
// holds singleCoreM x singleCoreN (page "IterateAll").
template <CubeFormat format>
void tail_into_ub(void* const* args) {
  using Half = MatmulType<TPosition::GM, CubeFormat::ND, half>;
  Matmul<Half, Half, MatmulType<TPosition::VECIN, format, float>> mm;
  mm.Init(&tiling);
  GlobalTensor<half> a, b;
  a.SetGlobalBuffer(static_cast<half*>(args[0]));
  b.SetGlobalBuffer(static_cast<half*>(args[1]));
  LocalTensor<float> c(TPosition::VECIN, 0, 64 * 64);
  mm.SetTail(19, 33);
  mm.SetTensorA(a);
  mm.SetTensorB(b);
  mm.IterateAll(c);
  std::memcpy(args[2], reinterpret_cast<const void*>(c.GetPhyAddr()), 64 * 64 * 4);
}

TEST(MatmulObject, TailsLieAsTheTilingSays) {
  tiling = sizes(40, 50, 24, 16, 32, 0);
  auto a = noise<half>(40 * 24, 1), b = noise<half>(24 * 50, 2);
  const auto expected = product<float>(a, b, 40, 50, 24);
  std::vector<float> rows(64 * 64), aligned(64 * 64), panels(64 * 64);
  ASSERT_TRUE((run<tail_into_ub<CubeFormat::ND>>({a.data(), b.data(), rows.data()}).ok()));
  ASSERT_TRUE((run<tail_into_ub<CubeFormat::ND_ALIGN>>({a.data(), b.data(), aligned.data()}).ok()));
  ASSERT_TRUE((run<tail_into_ub<CubeFormat::NZ>>({a.data(), b.data(), panels.data()}).ok()));
  for (uint32_t i = 0; i < 19; ++i)
    for (uint32_t j = 0; j < 33; ++j) {
      ASSERT_EQ(rows[i * 50 + j], expected[i * 50 + j]);
      ASSERT_EQ(aligned[i * 56 + j], expected[i * 50 + j]);
      ASSERT_EQ(panels[nz(i, j, 40, 16)], expected[i * 50 + j]);
    }
}

constexpr MatmulConfig kHinted = GetMMConfig<MatmulConfigMode::CONFIG_MDL>(
    MatmulShapeParams{16, 16, 16, 16, 16, 16}, MatmulFuncParams{});
static_assert(kHinted.doMultiDataLoad, "hints do not change the mode");

// m x k times k x n of halves by hand: ND -> NZ in L1, row blocks to L0A, fractals turned to L0B.
constexpr uint16_t kM = 45, kN = 70, kK = 83, kMUp = 48, kNUp = 80, kKUp = 96;

template <HardEvent event>
void order() {
  SetFlag<event>(0);
  WaitFlag<event>(0);
}

void by_hand(void* const* args) {
  GlobalTensor<half> a, b, c;
  a.SetGlobalBuffer(static_cast<half*>(args[0]));
  b.SetGlobalBuffer(static_cast<half*>(args[1]));
  c.SetGlobalBuffer(static_cast<half*>(args[2]));
  LocalTensor<half> a1(TPosition::A1, 0, kMUp * kKUp), b1(TPosition::B1, 65536, kKUp * kNUp);
  LocalTensor<half> a2(TPosition::A2, 0, kMUp * kKUp), b2(TPosition::B2, 0, kKUp * kNUp);
  LocalTensor<float> co1(TPosition::CO1, 0, kMUp * kNUp);
  DataCopy(a1, a, Nd2NzParams(1, kM, kK, 0, kK, kMUp, 1, 0));
  DataCopy(b1, b, Nd2NzParams(1, kK, kN, 0, kN, kKUp, 1, 0));
  order<HardEvent::MTE2_MTE1>();
  for (uint16_t r = 0; r < kMUp / 16; ++r)
    LoadData(a2[r * 16 * kKUp], a1, LoadData2DParams(r, kKUp / 16, kMUp / 16, 0, 0, false, 0));
  for (uint16_t r = 0; r < kKUp / 16; ++r)
    LoadData(b2[r * 16 * kNUp], b1, LoadData2DParams(r, kNUp / 16, kKUp / 16, 0, 0, true, 0));
  order<HardEvent::MTE1_M>();
  Mmad(co1, a2, b2, MmadParams(kM, kN, kK, 0, false, true));
  order<HardEvent::M_FIX>();
  FixpipeParamsV220 p(kN, kM, kMUp, kN, false);
  p.quantPre = QuantMode_t::F322F16;
  Fixpipe(c, co1, p);
}

TEST(MatrixProduct, ByHandThroughEveryMemory) {
  auto a = noise<half>(kM * kK, 1), b = noise<half>(kK * kN, 2);
  std::vector<half> c(kM * kN);
  const LaunchReport report = run<by_hand>({a.data(), b.data(), c.data()}, on_cube_core());
  ASSERT_TRUE(report.ok()) << report.faults[0].message;
  const auto expected = product<float>(a, b, kM, kN, kK);
  for (size_t i = 0; i < c.size(); ++i) ASSERT_EQ(c[i].bits, half(expected[i]).bits) << i;
}

}  // namespace
}  // namespace opkit::core::test
