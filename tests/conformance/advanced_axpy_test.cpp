// Axpy with a temporary buffer, bit by bit: the product is rounded before it is added.
#include <gmock/gmock.h>

#include "tests/conformance/advanced.h"
#include "tiling/tiling_api.h"

namespace conformance {
namespace {

template <typename T>
T rounded(float v) {
  return static_cast<T>(v);
}
template <typename T, typename U>
void check_axpy(uint32_t n, uint32_t bytes) {
  const auto y = spread<T>(n, 1, -5, 5);
  const auto x = spread<U>(n, 2, -5, 5);
  Image before(97);
  before.fill(kDst, y);
  before.fill(kSrc0, x);
  const U scalar = static_cast<U>(-1.7f);
  const Image after =
      run(before, piped([&] {
            AscendC::Axpy<T, U, false>(at<T>(kDst), at<U>(kSrc0), scalar, temporary(bytes), n);
          }))
          .image;
  for (uint32_t i = 0; i < n; ++i) {
    const T product = rounded<T>(static_cast<float>(x[i]) * static_cast<float>(scalar));
    const T expected = rounded<T>(static_cast<float>(y[i]) + static_cast<float>(product));
    ASSERT_EQ(static_cast<float>(after.get<T>(i * sizeof(T))), static_cast<float>(expected)) << i;
  }
  ASSERT_TRUE(untouched(before, after, n * sizeof(T)));
}
TEST(AdvancedAxpy, MulsAndAdd) {
  for (uint32_t n : kLengths) {
    uint32_t max = 0, min = 0;
    AscendC::GetAxpyMaxMinTmpSize(ge::Shape({n}), 2, false, max, min);
    for (uint32_t bytes : {64u, min, max}) {
      check_axpy<float, float>(n, bytes);
      check_axpy<Half, Half>(n, bytes);
      check_axpy<float, Half>(n, bytes);
    }
  }
}
TEST(AdvancedAxpy, Refusal) {
  const auto faults = faults_of(
      piped([] { AscendC::Axpy(at<float>(kDst), at<float>(kSrc0), 1.0f, temporary(32), 64u); }));
  ASSERT_FALSE(faults.empty());
  EXPECT_THAT(faults[0].code + " " + faults[0].message,
              ::testing::HasSubstr("EK1801 Axpy: needs 64 bytes"));
}

}  // namespace
}  // namespace conformance
