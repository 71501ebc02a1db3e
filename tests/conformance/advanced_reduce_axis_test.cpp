// Reductions of one axis and ReduceXorSum against plain loops. Extremes and truth values are exact;
// sums and means are within as many units of the sum of magnitudes as the depth of the additions,
// at least 4; products within one unit per factor.
#include <gmock/gmock.h>

#include "opkit/include/ascendc/advanced_reduce_axis.h"
#include "tests/conformance/advanced.h"
#include "tiling/tiling_api.h"

namespace conformance {
namespace {

using AR = AscendC::Pattern::Reduce::AR;
using RA = AscendC::Pattern::Reduce::RA;
enum class Kind { kSum, kMax, kMin, kMean, kProd, kAll, kAny };

template <Kind kind, typename T, typename P>
void call(const LocalTensor<T>& d, const LocalTensor<T>& s, const LocalTensor<uint8_t>& tmp,
          const uint32_t shape[], bool shared) {
#define OPKIT_CALL(K, Name)                                                \
  if constexpr (kind == Kind::K) {                                         \
    if (shared) return AscendC::Name<T, P, false>(d, s, tmp, shape, true); \
    return AscendC::Name<T, P>(d, s, shape, true);                         \
  }
  OPKIT_CALL(kSum, ReduceSum)
  OPKIT_CALL(kMax, ReduceMax)
  OPKIT_CALL(kMin, ReduceMin)
  OPKIT_CALL(kMean, ReduceMean)
  OPKIT_CALL(kProd, ReduceProd)
  OPKIT_CALL(kAll, ReduceAll)
  OPKIT_CALL(kAny, ReduceAny)
#undef OPKIT_CALL
}
template <Kind kind>
void helper(const ge::Shape& shape, ge::DataType type, bool rows, uint32_t& max, uint32_t& min) {
  const auto pattern = rows ? AscendC::ReducePattern::RA : AscendC::ReducePattern::AR;
  if (kind == Kind::kSum)
    return AscendC::GetReduceSumMaxMinTmpSize(shape, type, pattern, true, false, max, min);
  if (kind == Kind::kMax)
    return AscendC::GetReduceMaxMaxMinTmpSize(shape, type, pattern, true, false, max, min);
  if (kind == Kind::kProd)
    return AscendC::GetReduceProdMaxMinTmpSize(shape, type, pattern, true, false, max, min);
  AscendC::GetReduceAllMaxMinTmpSize(shape, type, pattern, true, false, max, min);
}
template <Kind kind>
double combine(double a, double b) {
  switch (kind) {
    case Kind::kMax:
    case Kind::kAny: return std::max(a, b);
    case Kind::kMin:
    case Kind::kAll: return std::min(a, b);
    case Kind::kProd: return a * b;
    default: return a + b;
  }
}

template <Kind kind, typename T, typename P>
void check_axis(uint32_t rows, uint32_t columns, bool shared) {
  constexpr bool kRows = std::is_same_v<P, RA>;
  constexpr uint32_t kBlock = 32 / sizeof(T);
  const uint32_t pitch = (columns + kBlock - 1) / kBlock * kBlock;
  std::vector<T> x(rows * pitch);
  std::mt19937 random(3);
  for (T& v : x) {
    const auto f = std::uniform_real_distribution<float>(-2, 2)(random);
    if (kind == Kind::kAll)
      v = static_cast<T>(random() % 16 != 0 ? 1.0f : 0.0f);
    else if (kind == Kind::kAny)
      v = static_cast<T>(random() % 16 == 0 ? 1.0f : 0.0f);
    else if (kind == Kind::kProd)
      v = static_cast<T>(f < 0 ? f / 4 - 1 : f / 4 + 0.75f);
    else
      v = static_cast<T>(f);
  }
  Image before(61);
  before.fill(kSrc0, x);
  uint32_t max = 0, min = 0;
  helper<kind>(ge::Shape({rows, columns}),
               sizeof(T) == 1   ? ge::DT_UINT8
               : sizeof(T) == 2 ? ge::DT_FLOAT16
                                : ge::DT_FLOAT,
               kRows, max, min);
  const uint32_t shape[2] = {rows, columns};
  const Image after =
      run(before, piped([&] {
            call<kind, T, P>(at<T>(kDst), at<T>(kSrc0), temporary(min), shape, shared);
          }))
          .image;
  const uint32_t results = kRows ? columns : rows, length = kRows ? rows : columns;
  for (uint32_t i = 0; i < results; ++i) {
    const auto element = [&](uint32_t k) {
      return double{static_cast<float>(kRows ? x[k * pitch + i] : x[i * pitch + k])};
    };
    double value = element(0), size = std::fabs(element(0));
    for (uint32_t k = 1; k < length; ++k) {
      value = combine<kind>(value, element(k));
      size += std::fabs(element(k));
    }
    if (kind == Kind::kMean) {
      value /= length;
      size /= length;
    }
    const bool sum = kind == Kind::kSum || kind == Kind::kMean;
    const double units = sum                   ? std::max(4.0, kRows ? length / 2.0 : 4.0)
                         : kind == Kind::kProd ? length
                                               : 0;
    if constexpr (sizeof(T) == 1) {
      ASSERT_EQ(after.get<T>(i), static_cast<T>(value)) << rows << "x" << columns << " at " << i;
    } else {
      ASSERT_LE(distance(after.get<T>(i * sizeof(T)), value, sum ? size : 0), units)
          << rows << "x" << columns << " at " << i;
    }
  }
  ASSERT_TRUE(untouched(before, after, results * sizeof(T)));
}
template <Kind kind, typename T>
void check_axes() {
  for (bool shared : {true, false}) {
    for (const auto& [rows, columns] :
         {std::pair{1u, 1u}, std::pair{2u, 63u}, std::pair{3u, 64u}, std::pair{5u, 65u},
          std::pair{17u, 100u}, std::pair{2u, 1000u}, std::pair{100u, 16u}}) {
      check_axis<kind, T, AR>(rows, columns, shared);
      check_axis<kind, T, RA>(rows, columns, shared);
    }
  }
}
TEST(AdvancedReduceAxis, SumAndMean) {
  check_axes<Kind::kSum, float>();
  check_axes<Kind::kMean, float>();
}
TEST(AdvancedReduceAxis, Extremes) {
  check_axes<Kind::kMax, float>();
  check_axes<Kind::kMax, Half>();
  check_axes<Kind::kMin, float>();
  check_axes<Kind::kMin, Half>();
}
TEST(AdvancedReduceAxis, Product) { check_axes<Kind::kProd, float>(); }
TEST(AdvancedReduceAxis, Truth) {
  check_axes<Kind::kAll, float>();
  check_axes<Kind::kAll, uint8_t>();
  check_axes<Kind::kAny, float>();
  check_axes<Kind::kAny, uint8_t>();
}

TEST(AdvancedReduceAxis, XorSum) {
  for (uint32_t n : {1u, 15u, 128u, 129u, 2000u}) {
    for (bool shared : {true, false}) {
      for (int16_t range : {int16_t{3}, int16_t{30000}}) {
        std::vector<int16_t> a(n), b(n);
        std::mt19937 random(n);
        int64_t sum = 0;
        for (uint32_t i = 0; i < n; ++i) {
          a[i] = static_cast<int16_t>(static_cast<int>(random() % (2u * range)) - range);
          b[i] = static_cast<int16_t>(static_cast<int>(random() % (2u * range)) - range);
          sum += static_cast<int16_t>(a[i] ^ b[i]);
        }
        Image before(62);
        before.fill(kSrc0, a);
        before.fill(kSrc1, b);
        uint32_t max = 0, min = 0;
        AscendC::GetReduceXorSumMaxMinTmpSize(ge::Shape({n}), 2, false, max, min);
        const Image after = run(before, piped([&] {
                                  auto d = at<int16_t>(kDst), x = at<int16_t>(kSrc0),
                                       y = at<int16_t>(kSrc1);
                                  auto tmp = temporary(min);
                                  if (shared) return AscendC::ReduceXorSum(d, x, y, tmp, n);
                                  AscendC::ReduceXorSum(d, x, y, n);
                                }))
                                .image;
        ASSERT_EQ(after.get<int16_t>(kDst), std::clamp<int64_t>(sum, -32768, 32767)) << n;
        ASSERT_TRUE(untouched(before, after, 2));
      }
    }
  }
}
TEST(AdvancedReduceAxis, Refusals) {
  const auto faults = faults_of(piped([] {
    const uint32_t shape[2] = {2, 9};
    AscendC::ReduceSum<float, AR>(at<float>(kDst), at<float>(kSrc0), shape, false);
  }));
  ASSERT_FALSE(faults.empty());
  EXPECT_THAT(
      faults[0].code + " " + faults[0].message,
      ::testing::HasSubstr("EK1802 ReduceSum: the bytes of a row must be a multiple of 32"));
}

}  // namespace
}  // namespace conformance
