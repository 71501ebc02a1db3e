// BatchNorm and GroupNorm against twins in double. Bounds: 16 units (float) and 1 unit (half) of
// values of at least 1, because adding beta cancels.
#include <gmock/gmock.h>

#include "opkit/include/ascendc/advanced_norm_batch.h"
#include "tests/conformance/advanced.h"
#include "tiling/tiling_api.h"

namespace conformance {
namespace {

template <typename T>
double wide(T value) {
  return static_cast<float>(value);
}
template <typename T>
double bound() {
  return sizeof(T) == 4 ? 16 : 1;
}
template <typename T>
struct Inputs {
  std::vector<T> x, gamma, beta;
  Image image{91};

  Inputs(uint32_t count, uint32_t factors)
      : x(spread<T>(count, 1, -3, 5)),
        gamma(spread<T>(factors, 2, -2, 2)),
        beta(spread<T>(factors, 3, -1, 1)) {
    image.fill(kSrc0, x);
    image.fill(kSrc1, gamma);
    image.fill(kSrc1 + 4096, beta);
  }
};
// Mean and variance of the elements that `at` names.
struct Moments {
  double mean = 0, variance = 0;
  template <typename F>
  Moments(uint32_t count, F&& at) {
    for (uint32_t i = 0; i < count; ++i) mean += at(i) / count;
    for (uint32_t i = 0; i < count; ++i) variance += (at(i) - mean) * (at(i) - mean) / count;
  }
};

// padding: batches behind those that count, and columns of the width that the original shape lacks.
template <typename T>
void check_batch(uint32_t batch, uint32_t width, bool shared, bool in_place, uint32_t padding = 0) {
  const Inputs<T> in(batch * width, batch);
  const ge::Shape shape({batch + padding, 1, width}), original({batch, 1, width - padding});
  uint32_t max = 0, min = 0;
  ASSERT_TRUE(AscendC::GetBatchNormMaxMinTmpSize(shape, original, sizeof(T), false, max, min));
  BatchNormTiling tiling;
  ASSERT_TRUE(AscendC::GetBatchNormNDTilingInfo(shape, original, min, sizeof(T), false, tiling));
  const T epsilon = static_cast<T>(0.01f);
  const uint32_t to = in_place ? kSrc0 : kDst;
  const Image after = run(in.image, piped([&] {
                            const auto d = at<T>(to), m = at<T>(kSrc2), v = at<T>(kSrc2 + 4096),
                                       x = at<T>(kSrc0);
                            const auto g = at<T>(kSrc1), b = at<T>(kSrc1 + 4096);
                            if (shared)
                              return AscendC::BatchNorm<T, false, false>(
                                  d, m, v, x, g, b, temporary(min), epsilon, tiling);
                            AscendC::BatchNorm(d, m, v, x, g, b, epsilon, tiling);
                          }))
                          .image;
  for (uint32_t j = 0; j < width; ++j) {
    const auto x = [&](uint32_t i) { return wide(in.x[i * width + j]); };
    const Moments m(batch, x);
    ASSERT_LE(distance(after.get<T>(kSrc2 + j * sizeof(T)), m.mean, 1), bound<T>());
    ASSERT_LE(distance(after.get<T>(kSrc2 + 4096 + j * sizeof(T)), m.variance, 1), bound<T>());
    for (uint32_t i = 0; i < batch; ++i) {
      const double y = (x(i) - m.mean) / std::sqrt(m.variance + wide(epsilon)) * wide(in.gamma[i]) +
                       wide(in.beta[i]);
      ASSERT_LE(distance(after.get<T>(to + (i * width + j) * sizeof(T)), y, 4), bound<T>())
          << batch << "x" << width << " at " << i << "," << j;
    }
  }
}
TEST(AdvancedNormBatch, BatchNorm) {
  for (bool shared : {true, false}) {
    for (bool in_place : {true, false}) {
      for (const auto& [batch, width] :
           {std::pair{1u, 16u}, std::pair{16u, 64u}, std::pair{7u, 80u}, std::pair{3u, 624u}}) {
        check_batch<float>(batch, width, shared, in_place);
        check_batch<Half>(batch, width, shared, in_place);
      }
    }
  }
}

// Rows keep the width of the tensor, whether what is left of it fills blocks or not.
TEST(AdvancedNormBatch, BatchNormOfPaddedShapes) {
  for (bool shared : {true, false}) {
    check_batch<float>(7, 64, shared, false, 16);
    check_batch<Half>(7, 64, shared, false, 16);
    check_batch<float>(5, 48, shared, true, 3);
  }
}

template <typename T>
void check_group(uint32_t n, uint32_t c, uint32_t hw, uint32_t groups, bool shared) {
  const Inputs<T> in(n * c * hw, c);
  const ge::Shape shape({n, c, 1, hw});
  uint32_t max = 0, min = 0;
  AscendC::GetGroupNormMaxMinTmpSize(shape, sizeof(T), false, groups, max, min);
  GroupNormTiling tiling;
  AscendC::GetGroupNormNDTilingInfo(shape, min, sizeof(T), false, groups, tiling);
  const T epsilon = static_cast<T>(0.01f);
  const Image after = run(in.image, piped([&] {
                            const auto d = at<T>(kDst), m = at<T>(kSrc2), v = at<T>(kSrc2 + 4096),
                                       x = at<T>(kSrc0);
                            const auto g = at<T>(kSrc1), b = at<T>(kSrc1 + 4096);
                            if (shared)
                              return AscendC::GroupNorm<T, false>(d, m, v, x, g, b, temporary(min),
                                                                  epsilon, tiling);
                            AscendC::GroupNorm(d, m, v, x, g, b, epsilon, tiling);
                          }))
                          .image;
  const uint32_t channels = c / groups, size = channels * hw;
  for (uint32_t group = 0; group < n * groups; ++group) {
    const auto x = [&](uint32_t i) { return wide(in.x[group * size + i]); };
    const Moments m(size, x);
    ASSERT_LE(distance(after.get<T>(kSrc2 + group * sizeof(T)), m.mean, 1), bound<T>());
    ASSERT_LE(distance(after.get<T>(kSrc2 + 4096 + group * sizeof(T)), m.variance, 1), bound<T>());
    for (uint32_t i = 0; i < size; ++i) {
      const uint32_t channel = group % groups * channels + i / hw;
      const double y =
          (x(i) - m.mean) / std::sqrt(m.variance + wide(epsilon)) * wide(in.gamma[channel]) +
          wide(in.beta[channel]);
      ASSERT_LE(distance(after.get<T>((group * size + i) * sizeof(T)), y, 4), bound<T>())
          << n << "x" << c << "x" << hw << " group " << group << " at " << i;
    }
  }
}
TEST(AdvancedNormBatch, GroupNorm) {
  for (bool shared : {true, false}) {
    check_group<float>(2, 4, 16, 2, shared);
    check_group<Half>(2, 4, 16, 2, shared);
    check_group<float>(1, 6, 80, 3, shared);
    check_group<Half>(3, 6, 48, 1, shared);
    check_group<float>(1, 5, 64, 5, shared);
  }
}
TEST(AdvancedNormBatch, Refusals) {
  const auto fault = [](auto body) {
    const auto faults = faults_of(piped(body));
    return faults.empty() ? std::string("none") : faults[0].code + " " + faults[0].message;
  };
  EXPECT_THAT(fault([] {
                BatchNormTiling t;
                t.meanVarSize = 16;
                const auto x = at<float>(kSrc0);
                AscendC::BatchNorm(at<float>(kDst), x, x, x, x, x, 0.1f, t);
              }),
              ::testing::HasSubstr("EK1802 BatchNorm: the batch must not be 0"));
  EXPECT_THAT(fault([] {
                GroupNormTiling t;
                t.n = 1;
                t.c = 5;
                t.g = t.d = 2;
                t.hw = 16;
                const auto x = at<float>(kSrc0);
                AscendC::GroupNorm(at<float>(kDst), x, x, x, x, x, 0.1f, t);
              }),
              ::testing::HasSubstr("EK1802 GroupNorm: the groups must divide the channels"));
}

}  // namespace
}  // namespace conformance
