// The settings of the Matmul object and its batches, against plain loops.
#include "opkit/include/lib/matmul_intf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/conformance/cube_matrices.h"
#include "tests/conformance/matmul_tilings.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::HasSubstr;

constexpr uint32_t kM = 40, kN = 48, kK = 32;

TCubeTiling tiling;

template <typename T>
GlobalTensor<T> global(void* data) {
  GlobalTensor<T> t;
  t.SetGlobalBuffer(static_cast<T*>(data));
  return t;
}

template <typename T, LayoutMode layout = LayoutMode::NONE, bool trans = false>
using In = MatmulType<TPosition::GM, CubeFormat::ND, T, trans, layout>;
template <LayoutMode layout = LayoutMode::NONE, typename T = float>
using Out = MatmulType<TPosition::GM, CubeFormat::ND, T, false, layout>;

using Plain = Matmul<In<half>, In<half>, Out<>>;

template <KernelBody body>
std::vector<float> floats_of(std::vector<half>& a, std::vector<half>& b, size_t n, void* more) {
  std::vector<float> c(n, -7.0f);
  const LaunchReport report = run<body>({a.data(), b.data(), c.data(), more});
  for (const Fault& f : report.faults) ADD_FAILURE() << f.code << " " << f.message;
  return c;
}

template <const auto& config>
void configured(void* const* args) {
  TPipe pipe;
  Matmul<In<half>, In<half>, Out<>, Out<>, config> mm;
  if constexpr (detail::is_whole(config)) {
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm);
  } else {
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
  }
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]));
  mm.IterateAll(global<float>(args[2]));
}

constexpr MatmulConfig kNormal = GetNormalConfig(true, false, true, BatchMode::BATCH_LARGE_THAN_L1);
constexpr MatmulConfig kMdl = GetMDLConfig(false, false, 2, true, false, false, true);
constexpr MatmulConfig kSpecial = GetSpecialMDLConfig();
constexpr MatmulConfig kShared =
    GetIBShareNormConfig(false, false, false, BatchMode::BATCH_LESS_THAN_L1, true);
constexpr MatmulConfig kBasic = GetBasicConfig(16, 32, 16);
constexpr MatmulConfig kParts = GetMMConfig<MatmulConfigMode::CONFIG_MDL>(
    MatmulFuncParams{false, true}, MatmulQuantParams{}, MatmulBatchParams{false},
    MatmulShapeParams{kM, kN, kK, 16, 32, 16});
// All sizes are known to the compiler, so that REGIST_MATMUL_OBJ needs no tiling.
constexpr MatmulApiStaticTiling kStatic =
    GetMatmulApiTiling<In<half>, In<half>, Out<>, Out<>>(kParts);

TEST(MatmulSettings, ConfigurationsGiveTheSameProduct) {
  auto a = noise<half>(kM * kK, 1), b = noise<half>(kK * kN, 2);
  const auto expected = product<float>(a, b, kM, kN, kK);
  tiling = tiling_of(kM, kN, kK, {16, 32});
  EXPECT_EQ(floats_of<configured<CFG_MDL>>(a, b, kM * kN, nullptr), expected);
  EXPECT_EQ(floats_of<configured<kNormal>>(a, b, kM * kN, nullptr), expected);
  EXPECT_EQ(floats_of<configured<kMdl>>(a, b, kM * kN, nullptr), expected);
  EXPECT_EQ(floats_of<configured<kSpecial>>(a, b, kM * kN, nullptr), expected);
  EXPECT_EQ(floats_of<configured<kShared>>(a, b, kM * kN, nullptr), expected);
  EXPECT_EQ(floats_of<configured<kBasic>>(a, b, kM * kN, nullptr), expected);
  EXPECT_EQ(floats_of<configured<kParts>>(a, b, kM * kN, nullptr), expected);
  tiling = {};
  EXPECT_EQ(floats_of<configured<kStatic>>(a, b, kM * kN, nullptr), expected);
}

void block_by_block(void* const* args) {
  Plain mm;
  mm.Init(&tiling);
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]));
  uint32_t count = 0;
  while (mm.Iterate()) {
    mm.GetTensorC(global<float>(args[2]), 1);  // added
    ++count;
  }
  *static_cast<uint32_t*>(args[3]) = count;
}

TEST(MatmulSettings, BlockByBlock) {
  auto a = noise<half>(kM * kK, 3), b = noise<half>(kK * kN, 4);
  tiling = tiling_of(kM, kN, kK, {16, 32});
  uint32_t blocks = 0;
  const auto c = floats_of<block_by_block>(a, b, kM * kN, &blocks);
  const auto expected = product<float>(a, b, kM, kN, kK);
  for (size_t i = 0; i < c.size(); ++i) ASSERT_EQ(c[i], -7.0f + expected[i]);
  EXPECT_EQ(blocks, 6u);  // 3 x 2
}

// The tiling speaks of smaller matrices; the shapes are those of the whole ones.
void part_of_larger(void* const* args) {
  Plain mm;
  mm.Init(&tiling);
  mm.SetOrgShape(64, 80, 96, 96);
  mm.SetSingleShape(20, 33, 48);
  mm.SetTail(19);
  mm.SetTensorA(global<half>(args[0])[16 * 96 + 32]);
  mm.SetTensorB(global<half>(args[1])[32 * 80 + 16]);
  mm.IterateAll(global<float>(args[2])[16 * 80 + 16]);
}

TEST(MatmulSettings, PartsOfLargerMatrices) {
  auto a = noise<half>(64 * 96, 5), b = noise<half>(96 * 80, 6);
  tiling = tiling_of(16, 16, 16);
  const auto c = floats_of<part_of_larger>(a, b, 64 * 80, nullptr);
  for (uint32_t i = 0; i < 64; ++i) {
    for (uint32_t j = 0; j < 80; ++j) {
      float sum = -7.0f;
      if (i >= 16 && i < 35 && j >= 16 && j < 49) {
        sum = 0;
        for (uint32_t k = 0; k < 48; ++k)
          sum = std::fma(float(a[i * 96 + 32 + k]), float(b[(32 + k) * 80 + j]), sum);
      }
      ASSERT_EQ(c[i * 80 + j], sum) << i << " " << j;
    }
  }
}

void with_services(void* const* args) {
  TPipe pipe;
  Plain mm;
  EXPECT_EQ(mm.GetSubBlockIdx(), 0);
  mm.SetSubBlockIdx(1);
  EXPECT_EQ(mm.GetSubBlockIdx(), 1);
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
  mm.SetWorkspace(static_cast<uint8_t*>(args[3]), 64);
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]));
  mm.SetBias(global<float>(args[3]));
  mm.ClearBias();
  mm.IterateAll<false>(global<float>(args[2]), 0, false, true);
  mm.WaitIterateAll();
  mm.End();
}

TEST(MatmulSettings, ServicesOfTheServerChangeNothing) {
  auto a = noise<half>(kM * kK, 7), b = noise<half>(kK * kN, 8);
  tiling = tiling_of(kM, kN, kK, {16, 32});
  std::vector<float> workspace(64);
  EXPECT_EQ(floats_of<with_services>(a, b, kM * kN, workspace.data()),
            product<float>(a, b, kM, kN, kK));
}

int ties = 0;

void in_hf32(void* const* args) {
  Matmul<In<float>, In<float>, Out<>> mm;
  mm.Init(&tiling);
  mm.SetHF32(true, ties);
  mm.SetTensorA(global<float>(args[0]));
  mm.SetTensorB(global<float>(args[1]));
  mm.IterateAll(global<float>(args[2]));
}

// 11 bits of mantissa, to the nearest; ties to even (0) or away from zero (1), page "SetHF32".
float hf32(float x) {
  const float unit = std::ldexp(1.0f, std::ilogb(x) - 11);
  const float units = x / unit;  // exact, below 2^12
  if (ties == 0) return std::nearbyint(units) * unit;
  return std::copysign(std::floor(std::fabs(units) + 0.5f), units) * unit;
}

TEST(MatmulSettings, Hf32) {
  const auto noisy = noise<float>(kM * kK, 9);
  for (const int mode : {0, 1}) {
    ties = mode;
    auto a = noisy, b = noise<float>(kK * kN, 10);
    for (float& x : a) x *= 1.0001f;
    for (uint32_t i = 0; i < kK; ++i) a[i] = 1.0f + (2.0f * static_cast<float>(i) + 1.0f) / 4096;
    tiling = tiling_of(kM, kN, kK, {16, 32});
    std::vector<float> c(kM * kN);
    ASSERT_TRUE((run<in_hf32>({a.data(), b.data(), c.data()}).ok()));
    for (float& x : a) x = x == 0.0f ? x : hf32(x);
    for (float& x : b) x = x == 0.0f ? x : hf32(x);
    EXPECT_EQ(c, product<float>(a, b, kM, kN, kK)) << mode;
  }
}

bool by_column = false;

void quantised(void* const* args) {
  Matmul<In<int8_t>, In<int8_t>, Out<LayoutMode::NONE, half>, Out<LayoutMode::NONE, int32_t>> mm;
  mm.Init(&tiling);
  if (by_column)
    mm.SetQuantVector(global<uint64_t>(args[3]));
  else
    mm.SetQuantScalar(*static_cast<uint64_t*>(args[3]));
  mm.SetTensorA(global<int8_t>(args[0]));
  mm.SetTensorB(global<int8_t>(args[1]));
  mm.IterateAll(global<half>(args[2]));
}

TEST(MatmulSettings, Quantisation) {
  auto a = noise<int8_t>(kM * kK, 11), b = noise<int8_t>(kK * kN, 12);
  const auto sums = product<int32_t>(a, b, kM, kN, kK);
  std::vector<uint64_t> words(kN);
  for (uint32_t j = 0; j < kN; ++j) {
    const float scale = 1.0f / static_cast<float>(1u << (j % 5 + 3));
    uint32_t bits;
    std::memcpy(&bits, &scale, 4);
    words[j] = bits;
  }
  tiling = tiling_of(kM, kN, kK, {16, 32});
  for (const bool vector : {false, true}) {
    by_column = vector;
    std::vector<half> c(kM * kN);
    ASSERT_TRUE((run<quantised>({a.data(), b.data(), c.data(), words.data()}).ok()));
    for (uint32_t i = 0; i < kM * kN; ++i) {
      const float scale = 1.0f / static_cast<float>(1u << ((vector ? i % kN % 5 : 0) + 3));
      ASSERT_EQ(c[i].bits, half(static_cast<float>(sums[i]) * scale).bits) << i;
    }
  }
}

// --- batches

struct Shape {
  uint32_t b, n, ga, gb, gc;  // axes B and N; G of A, B and C
};
bool with_bias = false, cube_only_form = false;
uint32_t batch_a = 1, batch_b = 1;
void* bias_data = nullptr;

template <LayoutMode in, LayoutMode out, bool tb>
void batched(void* const* args) {
  Matmul<In<half, in>, In<half, in, tb>, Out<out>, Out<>> mm;
  mm.Init(&tiling);
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]), tb);
  if (with_bias) mm.SetBias(global<float>(bias_data));
  if (cube_only_form) {
    mm.SetBatchNum(static_cast<int>(batch_a), static_cast<int>(batch_b));
    mm.IterateBatch(global<float>(args[2]), false, 0, false);
  } else {
    mm.template IterateBatch<false, true>(global<float>(args[2]), batch_a, batch_b, false);
    mm.WaitIterateBatch();
  }
}

// Place of element (r, c) of matrix i in [B, S, N, G, D] ordered as the layout says.
size_t placed(LayoutMode mode, const Shape& s, uint32_t g, uint32_t rows, uint32_t columns,
              uint32_t i, uint32_t r, uint32_t c) {
  const size_t in_n = i % g, n = i / g % s.n, b = i / g / s.n;
  if (mode == LayoutMode::BSNGD) return (((b * rows + r) * s.n + n) * g + in_n) * columns + c;
  if (mode == LayoutMode::SBNGD)
    return (((r * size_t{s.b} + b) * s.n + n) * g + in_n) * columns + c;
  return (size_t{i} * rows + r) * columns + c;  // BNGS1S2, NORMAL
}

template <LayoutMode in, LayoutMode out, bool tb>
void check_batches(const Shape& s) {
  tiling = tiling_of(kM, kN, kK, {16, 32});
  tiling.isBias = with_bias;
  const auto i32 = [](uint32_t x) { return static_cast<int32_t>(x); };
  tiling.ALayoutInfoB = tiling.BLayoutInfoB = tiling.CLayoutInfoB = i32(s.b);
  tiling.ALayoutInfoN = tiling.BLayoutInfoN = tiling.CLayoutInfoN = i32(s.n);
  tiling.ALayoutInfoG = i32(s.ga);
  tiling.BLayoutInfoG = i32(s.gb);
  tiling.CLayoutInfoG = i32(s.gc);
  tiling.ALayoutInfoS = tiling.CLayoutInfoS1 = i32(kM);
  tiling.ALayoutInfoD = i32(kK);
  tiling.BLayoutInfoS = i32(tb ? kN : kK);
  tiling.BLayoutInfoD = i32(tb ? kK : kN);
  tiling.CLayoutInfoS2 = i32(kN);
  batch_a = s.b * s.n * s.ga;
  batch_b = s.b * s.n * s.gb;
  const uint32_t g = std::max(s.ga, s.gb), most = s.b * s.n * g, results = s.b * s.n * s.gc;
  auto a = noise<half>(size_t{batch_a} * kM * kK, 21),
       b = noise<half>(size_t{batch_b} * kK * kN, 22);
  auto bias = noise<float>(size_t{results} * kN, 23);
  bias_data = bias.data();
  std::vector<float> expected(size_t{results} * kM * kN);
  for (uint32_t i = 0; i < most; ++i) {
    const uint32_t ia = i / (g / s.ga), ib = i / (g / s.gb), ic = i / (g / s.gc);
    for (uint32_t r = 0; r < kM; ++r) {
      for (uint32_t c = 0; c < kN; ++c) {
        float& sum = expected[placed(out, s, s.gc, kM, kN, ic, r, c)];
        if (i % (g / s.gc) == 0) sum = with_bias ? bias[ic * kN + c] : 0.0f;
        for (uint32_t k = 0; k < kK; ++k) {
          const uint32_t row = tb ? c : k, column = tb ? k : c;
          sum = std::fma(float(a[placed(in, s, s.ga, kM, kK, ia, r, k)]),
                         float(b[placed(in, s, s.gb, tb ? kN : kK, tb ? kK : kN, ib, row, column)]),
                         sum);
        }
      }
    }
  }
  EXPECT_EQ((floats_of<batched<in, out, tb>>(a, b, expected.size(), nullptr)), expected);
}

TEST(MatmulBatches, OneAfterTheOther) {
  for (const bool bias : {false, true}) {
    for (const bool cube_only : {false, true}) {
      with_bias = bias;
      cube_only_form = cube_only;
      check_batches<LayoutMode::NORMAL, LayoutMode::NORMAL, false>({1, 3, 1, 1, 1});
      check_batches<LayoutMode::NORMAL, LayoutMode::NORMAL, true>({1, 2, 2, 1, 2});  // B repeated
      check_batches<LayoutMode::NORMAL, LayoutMode::NORMAL, false>({1, 1, 1, 4, 4});
    }
  }
  with_bias = cube_only_form = false;
}

TEST(MatmulBatches, Layouts) {
  check_batches<LayoutMode::BSNGD, LayoutMode::BNGS1S2, true>({1, 2, 1, 1, 1});
  check_batches<LayoutMode::BSNGD, LayoutMode::BSNGD, false>({1, 3, 2, 1, 2});
  check_batches<LayoutMode::SBNGD, LayoutMode::SBNGD, false>({2, 2, 1, 1, 1});
  check_batches<LayoutMode::BNGS1S2, LayoutMode::BSNGD, false>({1, 2, 2, 2, 2});
  check_batches<LayoutMode::BNGS1S2, LayoutMode::BNGS1S2, true>({2, 2, 1, 2, 2});
}

// C without the axis G: the products of a group are summed.
TEST(MatmulBatches, SumsOverTheGroup) {
  check_batches<LayoutMode::BNGS1S2, LayoutMode::BNGS1S2, false>({1, 3, 4, 4, 1});
  with_bias = true;
  check_batches<LayoutMode::BSNGD, LayoutMode::BSNGD, false>({1, 2, 2, 1, 1});
  with_bias = false;
}

uint64_t stride_a = 0;

void strided_into_ub(void* const* args) {
  Matmul<In<half, LayoutMode::NORMAL>, In<half, LayoutMode::NORMAL>,
         MatmulType<TPosition::VECIN, CubeFormat::ND, float, false, LayoutMode::NORMAL>, Out<>>
      mm;
  mm.Init(&tiling);
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]));
  LocalTensor<float> ub(TPosition::VECIN, 0, 3 * kM * kN);
  mm.IterateBatch(ub, 3, 1, false, static_cast<uint32_t>(stride_a));
  PipeBarrier<PIPE_ALL>();
  DataCopy(global<float>(args[2]), ub, 3 * kM * kN);
}

// Matrices A further apart than they are large; C one after the other in UB.
TEST(MatmulBatches, StridesAndLocalMemory) {
  stride_a = kM * kK + 96;
  tiling = tiling_of(kM, kN, kK, {16, 32});
  auto a = noise<half>(3 * stride_a, 31), b = noise<half>(kK * kN, 32);
  std::vector<float> expected;
  for (uint32_t i = 0; i < 3; ++i) {
    const std::vector<half> one(a.begin() + static_cast<std::ptrdiff_t>(i * stride_a),
                                a.begin() + static_cast<std::ptrdiff_t>(i * stride_a + kM * kK));
    const auto c = product<float>(one, b, kM, kN, kK);
    expected.insert(expected.end(), c.begin(), c.end());
  }
  EXPECT_EQ(floats_of<strided_into_ub>(a, b, expected.size(), nullptr), expected);
}

void no_multiple(void* const* args) {
  Matmul<In<half, LayoutMode::NORMAL>, In<half, LayoutMode::NORMAL>, Out<LayoutMode::NORMAL>> mm;
  mm.Init(&tiling);
  mm.SetTensorA(global<half>(args[0]));
  mm.SetTensorB(global<half>(args[1]));
  mm.IterateBatch(global<float>(args[2]), 3, 2, false);
}

TEST(MatmulBatches, RefusesNumbersThatDoNotDivide) {
  tiling = tiling_of(16, 16, 16);
  std::vector<half> a(4096), b(4096);
  std::vector<float> c(4096);
  const LaunchReport report = run<no_multiple>({a.data(), b.data(), c.data()});
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].code, "EK1718");
  EXPECT_THAT(report.faults[0].message, HasSubstr("one must be a multiple of the other"));
}

}  // namespace
}  // namespace opkit::core::test
