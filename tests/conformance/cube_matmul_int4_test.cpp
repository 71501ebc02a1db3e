// The Matmul object with matrices of int4b_t, against plain loops over single numbers. (Vendor's
// pages "SetTensorA", "SetTensorB", "Matmul使用说明"; readme of the sample matmul_int4.)
#include "opkit/include/lib/matmul_intf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/conformance/cube_matrices.h"
#include "tests/conformance/matmul_tilings.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::HasSubstr;

TCubeTiling tiling;
bool with_bias = false;
constexpr float kScale = 0.125f;  // scales results of half

template <CubeFormat format, typename C, bool turned_b, const auto& config = CFG_NORM>
void object(void* const* args) {
  TPipe pipe;
  Matmul<MatmulType<TPosition::GM, format, int4b_t>,
         MatmulType<TPosition::GM, format, int4b_t, turned_b>,
         MatmulType<TPosition::GM, CubeFormat::ND, C>,
         MatmulType<TPosition::GM, CubeFormat::ND, int32_t>, config>
      mm;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
  GlobalTensor<int4b_t> a, b;
  GlobalTensor<C> c;
  GlobalTensor<int32_t> bias;
  a.SetGlobalBuffer(static_cast<int4b_t*>(args[0]));
  b.SetGlobalBuffer(static_cast<int4b_t*>(args[1]));
  c.SetGlobalBuffer(static_cast<C*>(args[2]));
  bias.SetGlobalBuffer(static_cast<int32_t*>(args[3]));
  mm.SetTensorA(a);
  mm.SetTensorB(b, turned_b);
  if (with_bias) mm.SetBias(bias);
  if constexpr (std::is_same_v<C, half>) {
    uint32_t word;
    std::memcpy(&word, &kScale, 4);
    mm.SetQuantScalar(word);
  }
  mm.IterateAll(c);
  mm.End();
}

struct Size {
  uint32_t m, n, k;
  int base_m, base_n, base_k;
};

// Values of -8 to 7, and where the kernel finds them: low halves of bytes first.
class Numbers {
 public:
  Numbers(uint32_t rows, uint32_t columns, uint32_t seed) : columns_(columns) {
    for (const uint8_t byte : noise<uint8_t>(size_t{rows} * columns, seed))
      values_.push_back(static_cast<int>(byte % 16) - 8);
  }
  int at(uint32_t row, uint32_t column) const { return values_[size_t{row} * columns_ + column]; }

  template <typename Place>
  std::vector<uint8_t> packed(size_t count, Place place) const {
    std::vector<uint8_t> bytes((count + 1) / 2);
    for (size_t i = 0; i < values_.size(); ++i) {
      const size_t to =
          place(static_cast<uint32_t>(i / columns_), static_cast<uint32_t>(i % columns_));
      bytes[to / 2] = static_cast<uint8_t>(bytes[to / 2] | (values_[i] & 15) << to % 2 * 4);
    }
    return bytes;
  }

 private:
  uint32_t columns_;
  std::vector<int> values_;
};

// A matrix of rows x columns as GM holds it.
std::vector<uint8_t> stored(const Numbers& numbers, uint32_t rows, uint32_t columns, bool turned,
                            CubeFormat format) {
  const uint32_t high = turned ? columns : rows, wide = turned ? rows : columns;
  const auto place = [&](uint32_t row, uint32_t column) {
    const uint32_t r = turned ? column : row, c = turned ? row : column;
    return format == CubeFormat::NZ ? nz(r, c, high, 64) : size_t{r} * wide + c;
  };
  const size_t count =
      format == CubeFormat::NZ ? size_t{up(high, 16)} * up(wide, 64) : size_t{high} * wide;
  return numbers.packed(count, place);
}

template <CubeFormat format, typename C, bool turned_b, const auto& config = CFG_NORM>
void compare(const Size& s, bool bias) {
  with_bias = bias;
  tiling = tiling_of(static_cast<int>(s.m), static_cast<int>(s.n), static_cast<int>(s.k),
                     {s.base_m, s.base_n, s.base_k});
  tiling.isBias = bias;
  const Numbers a(s.m, s.k, 1), b(s.k, s.n, 2);
  auto a_in = stored(a, s.m, s.k, false, format), b_in = stored(b, s.k, s.n, turned_b, format);
  std::vector<int32_t> biases(s.n);
  for (uint32_t j = 0; j < s.n; ++j) biases[j] = static_cast<int32_t>(j * 37) - 300;
  std::vector<C> c(size_t{s.m} * s.n);
  const LaunchReport report =
      run<object<format, C, turned_b, config>>({a_in.data(), b_in.data(), c.data(), biases.data()});
  ASSERT_TRUE(report.ok()) << report.faults[0].message;
  for (uint32_t i = 0; i < s.m; ++i) {
    for (uint32_t j = 0; j < s.n; ++j) {
      int32_t sum = bias ? biases[j] : 0;
      for (uint32_t x = 0; x < s.k; ++x) sum += a.at(i, x) * b.at(x, j);
      if constexpr (std::is_same_v<C, half>)
        ASSERT_EQ(c[size_t{i} * s.n + j], half(static_cast<float>(sum) * kScale)) << i << ' ' << j;
      else
        ASSERT_EQ(c[size_t{i} * s.n + j], sum) << i << ' ' << j;
    }
  }
}

constexpr Size kSizes[] = {{33, 48, 70, 16, 16, 64},
                           {1, 6, 4, 16, 16, 64},
                           {40, 34, 130, 32, 64, 64},
                           {64, 64, 1100, 64, 32, 128}};

TEST(MatmulObjectInt4, SumsInInt32) {
  for (const Size& s : kSizes)
    for (const bool bias : {false, true}) compare<CubeFormat::ND, int32_t, false>(s, bias);
}
TEST(MatmulObjectInt4, TurnedB) {
  for (const Size& s : kSizes) compare<CubeFormat::ND, int32_t, true>(s, true);
  compare<CubeFormat::ND, int32_t, true>({17, 31, 66, 16, 16, 64}, true);  // n may be odd there
}
TEST(MatmulObjectInt4, Fractals) {
  for (const Size& s : kSizes) {
    compare<CubeFormat::NZ, int32_t, false>(s, false);
    compare<CubeFormat::NZ, int32_t, true>(s, true);
  }
  compare<CubeFormat::NZ, int32_t, false>({17, 31, 65, 16, 16, 64}, false);
}
TEST(MatmulObjectInt4, HalfIsDequantised) {
  for (const Size& s : kSizes) compare<CubeFormat::ND, half, false>(s, true);
}
TEST(MatmulObjectInt4, TemplatesNormMdlAndIbShare) {
  compare<CubeFormat::ND, int32_t, false, CFG_MDL>(kSizes[2], true);
  compare<CubeFormat::ND, int32_t, false, CFG_IBSHARE_NORM>(kSizes[2], true);
}

// Matrices one behind the other: batches are counted in elements, addresses in bytes.
void batches(void* const* args) {
  using In = MatmulType<TPosition::GM, CubeFormat::ND, int4b_t, false, LayoutMode::NORMAL>;
  using Out = MatmulType<TPosition::GM, CubeFormat::ND, int32_t, false, LayoutMode::NORMAL>;
  TPipe pipe;
  Matmul<In, In, Out> mm;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
  GlobalTensor<int4b_t> a, b;
  GlobalTensor<int32_t> c;
  a.SetGlobalBuffer(static_cast<int4b_t*>(args[0]));
  b.SetGlobalBuffer(static_cast<int4b_t*>(args[1]));
  c.SetGlobalBuffer(static_cast<int32_t*>(args[2]));
  mm.SetTensorA(a);
  mm.SetTensorB(b);
  mm.IterateBatch(c, 3, 3, false);
  mm.End();
}
TEST(MatmulObjectInt4, Batches) {
  constexpr uint32_t kM = 18, kN = 10, kK = 6, kBatches = 3;
  tiling = tiling_of(kM, kN, kK, {16, 16, 64});
  tiling.ALayoutInfoB = tiling.BLayoutInfoB = tiling.CLayoutInfoB = tiling.BatchNum = kBatches;
  tiling.ALayoutInfoN = tiling.BLayoutInfoN = tiling.CLayoutInfoN = 1;
  tiling.ALayoutInfoG = tiling.BLayoutInfoG = tiling.CLayoutInfoG = 1;
  tiling.ALayoutInfoS = tiling.CLayoutInfoS1 = kM;
  tiling.ALayoutInfoD = tiling.BLayoutInfoD = kK;
  tiling.BLayoutInfoS = tiling.CLayoutInfoS2 = kN;
  const Numbers a(kBatches * kM, kK, 3), b(kBatches * kK, kN, 4);
  auto a_in = stored(a, kBatches * kM, kK, false, CubeFormat::ND);
  auto b_in = stored(b, kBatches * kK, kN, false, CubeFormat::ND);
  std::vector<int32_t> c(size_t{kBatches} * kM * kN);
  const LaunchReport report = run<batches>({a_in.data(), b_in.data(), c.data()});
  ASSERT_TRUE(report.ok()) << report.faults[0].message;
  for (uint32_t i = 0; i < kBatches * kM; ++i) {
    for (uint32_t j = 0; j < kN; ++j) {
      int32_t sum = 0;
      for (uint32_t x = 0; x < kK; ++x) sum += a.at(i, x) * b.at(i / kM * kK + x, j);
      ASSERT_EQ(c[size_t{i} * kN + j], sum) << i << ' ' << j;
    }
  }
}

// No byte begins in the middle of one.
TEST(MatmulObjectInt4, RefusesRowsThatBeginWithinAByte) {
  with_bias = false;
  tiling = tiling_of(16, 15, 16, {16, 16, 64});
  std::vector<uint8_t> a(1024), b(1024);
  std::vector<int32_t> c(1024);
  int32_t none = 0;
  const LaunchReport report =
      run<object<CubeFormat::ND, int32_t, false>>({a.data(), b.data(), c.data(), &none});
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].code, "EK1711");
  EXPECT_THAT(report.faults[0].message, HasSubstr("right matrix begins within a byte"));
}

}  // namespace
}  // namespace opkit::core::test
