// LayerNorm against a twin in double. Bounds: 16 units (float) and 1 unit (half) of values of at
// least 1, because adding beta cancels.
#include <gmock/gmock.h>

#include "tests/conformance/advanced.h"

namespace conformance {
namespace {

template <typename T>
void check_layer_norm(uint32_t rows, uint32_t pitch, uint32_t length, bool shared) {
  Image before(21);
  const auto x = spread<T>(rows * pitch, 1, -3, 5), gamma = spread<T>(pitch, 2, -2, 2),
             beta = spread<T>(pitch, 3, -1, 1);
  before.fill(kSrc0, x);
  before.fill(kSrc1, gamma);
  before.fill(kSrc1 + 4096, beta);
  LayerNormTiling tiling;
  tiling.bLength = 1;
  tiling.sLength = rows;
  tiling.hLength = pitch;
  tiling.originalHLength = length;
  const T epsilon = static_cast<T>(0.01f);
  const Image after = run(before, piped([&] {
                            const auto d = at<T>(kDst), m = at<T>(kSrc2), v = at<T>(kSrc2 + 1024);
                            const auto s = at<T>(kSrc0), g = at<T>(kSrc1), b = at<T>(kSrc1 + 4096);
                            const auto t = temporary((3 * pitch + 2) * 4);
                            if (shared)
                              return AscendC::LayerNorm(d, m, v, s, g, b, t, epsilon, tiling);
                            AscendC::LayerNorm(d, m, v, s, g, b, epsilon, tiling);
                          }))
                          .image;
  const double bound = sizeof(T) == 4 ? 16 : 1;
  for (uint32_t i = 0; i < rows; ++i) {
    const auto at_x = [&](uint32_t j) { return double{static_cast<float>(x[i * pitch + j])}; };
    double mean = 0, variance = 0;
    for (uint32_t j = 0; j < length; ++j) mean += at_x(j) / length;
    for (uint32_t j = 0; j < length; ++j) variance += (at_x(j) - mean) * (at_x(j) - mean) / length;
    ASSERT_LE(distance(after.get<T>(kSrc2 + i * sizeof(T)), mean, 1), bound);
    ASSERT_LE(distance(after.get<T>(kSrc2 + 1024 + i * sizeof(T)), variance, 1), bound);
    for (uint32_t j = 0; j < length; ++j) {
      const double scale =
          static_cast<float>(gamma[j]) / std::sqrt(variance + static_cast<float>(epsilon));
      const double y = (at_x(j) - mean) * scale + static_cast<float>(beta[j]);
      ASSERT_LE(distance(after.get<T>((i * pitch + j) * sizeof(T)), y, 1), bound)
          << rows << "x" << length << " at " << i << "," << j;
    }
  }
}
template <typename T>
void check_layer_norms() {
  for (bool shared : {true, false}) {
    check_layer_norm<T>(1, 16, 1, shared);
    check_layer_norm<T>(3, 64, 63, shared);
    check_layer_norm<T>(5, 80, 65, shared);
    check_layer_norm<T>(2, 1008, 1000, shared);
  }
}
TEST(AdvancedNorm, LayerNorm) {
  check_layer_norms<float>();
  check_layer_norms<Half>();
}
TEST(AdvancedNorm, Refusals) {
  const auto fault = [](uint32_t pitch, uint32_t length, uint32_t bytes) {
    const auto faults = faults_of(piped([&] {
      LayerNormTiling tiling;
      tiling.bLength = tiling.sLength = 1;
      tiling.hLength = pitch;
      tiling.originalHLength = length;
      const auto y = at<float>(kDst), mean = at<float>(kSrc1), gamma = at<float>(kSrc2);
      AscendC::LayerNorm(y, mean, mean[8], at<float>(kSrc0), gamma, gamma, temporary(bytes), 0.1f,
                         tiling);
    }));
    return faults.empty() ? std::string("none") : faults[0].code + " " + faults[0].message;
  };
  EXPECT_THAT(fault(15, 15, 1024), ::testing::HasSubstr("EK1802 LayerNorm: the bytes of a row"));
  EXPECT_THAT(fault(16, 17, 1024), ::testing::HasSubstr("its length with padding, but it is 17"));
  EXPECT_THAT(fault(16, 16, 128), ::testing::HasSubstr("EK1801 LayerNorm: needs 160 bytes"));
}

}  // namespace
}  // namespace conformance
