// RmsNorm, DeepNorm, LayerNorm with rstd, Normalize, LayerNormGrad and LayerNormGradBeta against
// twins in double, over float and half and row lengths around an iteration, with the smallest
// buffer that the host helper names and with the rest of UB. Bounds: units of values of at least 1,
// because adding cancels; 16 units for one row in float, 32 for gradients, which sum products of
// cancelled values.
#include <gmock/gmock.h>

#include "opkit/include/ascendc/advanced_norm_grad.h"
#include "tests/conformance/advanced.h"
#include "tiling/tiling_api.h"

namespace conformance {
namespace {

struct Rows {
  uint32_t rows, pitch, length;
};
const Rows kCases[] = {{1, 16, 1}, {3, 64, 63}, {2, 64, 64}, {5, 80, 65}, {2, 512, 500}};
constexpr uint32_t kBeta = kSrc1 + 2048, kFirst = kSrc2, kSecond = kSrc2 + 1024,
                   kThird = kSrc2 + 4096;

template <typename T>
struct Inputs {
  std::vector<T> x, other, gamma, beta;
  Image image{21};

  explicit Inputs(const Rows& c)
      : x(spread<T>(c.rows * c.pitch, 1, -3, 5)),
        other(spread<T>(c.rows * c.pitch, 2, -2, 2)),
        gamma(spread<T>(c.pitch, 3, -2, 2)),
        beta(spread<T>(c.pitch, 4, -1, 1)) {
    image.fill(kSrc0, x);
    image.fill(kSrc0 + 4096, other);
    image.fill(kSrc1, gamma);
    image.fill(kBeta, beta);
  }
};
template <typename T>
double wide(T value) {
  return static_cast<float>(value);
}

struct Moments {
  double mean = 0, variance = 0, square = 0;
};
template <typename F>
Moments moments_of(const Rows& c, F&& at) {
  Moments m;
  for (uint32_t j = 0; j < c.length; ++j) {
    m.mean += at(j) / c.length;
    m.square += at(j) * at(j) / c.length;
  }
  for (uint32_t j = 0; j < c.length; ++j)
    m.variance += (at(j) - m.mean) * (at(j) - m.mean) / c.length;
  return m;
}
template <typename T>
double bound(double floats) {
  return sizeof(T) == 4 ? floats : 1;
}
ge::Shape shape_of(const Rows& c) { return ge::Shape({1, c.rows, c.pitch}); }
ge::Shape original_of(const Rows& c) { return ge::Shape({1, c.rows, c.length}); }

template <typename T>
void check_rms_norm(const Rows& c, bool shared) {
  const Inputs<T> in(c);
  uint32_t max = 0, min = 0;
  ASSERT_TRUE(AscendC::GetRmsNormMaxMinTmpSize(shape_of(c), sizeof(T), max, min));
  RmsNormTiling tiling;
  ASSERT_TRUE(AscendC::GetRmsNormTilingInfo(shape_of(c), original_of(c), min, sizeof(T), tiling));
  const T epsilon = static_cast<T>(0.01f);
  const Image after = run(in.image, piped([&] {
                            const auto d = at<T>(kDst), s = at<T>(kSrc0), g = at<T>(kSrc1);
                            if (shared)
                              return AscendC::RmsNorm(d, s, g, temporary(min), epsilon, tiling);
                            AscendC::RmsNorm<T, false>(d, s, g, epsilon, tiling);
                          }))
                          .image;
  for (uint32_t i = 0; i < c.rows; ++i) {
    const auto x = [&](uint32_t j) { return wide(in.x[i * c.pitch + j]); };
    const double scale = 1 / std::sqrt(moments_of(c, x).square + wide(epsilon));
    // Padding takes no part in the mean, but has results, as the page says.
    for (uint32_t j = 0; j < c.pitch; ++j)
      ASSERT_LE(distance(after.get<T>((i * c.pitch + j) * sizeof(T)),
                         x(j) * scale * wide(in.gamma[j]), 0),
                bound<T>(8))
          << c.rows << "x" << c.length << " at " << i << "," << j;
  }
}
TEST(AdvancedNormFamily, RmsNorm) {
  for (const Rows& c : kCases) {
    for (bool shared : {true, false}) {
      check_rms_norm<float>(c, shared);
      check_rms_norm<Half>(c, shared);
    }
  }
}

template <typename T>
void check_deep_norm(const Rows& c, bool shared) {
  const Inputs<T> in(c);
  uint32_t max = 0, min = 0;
  ASSERT_TRUE(AscendC::GetDeepNormMaxMinTmpSize(shape_of(c), sizeof(T), false, false, max, min));
  DeepNormTiling tiling;
  ASSERT_TRUE(AscendC::GetDeepNormTilingInfo(shape_of(c), original_of(c), min, sizeof(T), false,
                                             false, tiling));
  const T alpha = static_cast<T>(-1.5f), epsilon = static_cast<T>(0.01f);
  const Image after = run(in.image, piped([&] {
                            const auto d = at<T>(kDst), m = at<T>(kFirst), v = at<T>(kSecond),
                                       s = at<T>(kSrc0), gx = at<T>(kSrc0 + 4096), b = at<T>(kBeta),
                                       g = at<T>(kSrc1);
                            if (shared)
                              return AscendC::DeepNorm<T, false, false>(
                                  d, m, v, s, gx, b, g, temporary(min), alpha, epsilon, tiling);
                            AscendC::DeepNorm(d, m, v, s, gx, b, g, alpha, epsilon, tiling);
                          }))
                          .image;
  for (uint32_t i = 0; i < c.rows; ++i) {
    const auto x = [&](uint32_t j) {
      return wide(alpha) * wide(in.x[i * c.pitch + j]) + wide(in.other[i * c.pitch + j]);
    };
    const Moments m = moments_of(c, x);
    ASSERT_LE(distance(after.get<T>(kFirst + i * sizeof(T)), m.mean, 1), bound<T>(16));
    ASSERT_LE(distance(after.get<T>(kSecond + i * sizeof(T)), m.variance, 1), bound<T>(16));
    for (uint32_t j = 0; j < c.length; ++j) {
      const double y = (x(j) - m.mean) / std::sqrt(m.variance + wide(epsilon)) * wide(in.gamma[j]) +
                       wide(in.beta[j]);
      ASSERT_LE(distance(after.get<T>((i * c.pitch + j) * sizeof(T)), y, 1), bound<T>(16));
    }
  }
}
TEST(AdvancedNormFamily, DeepNorm) {
  for (const Rows& c : kCases) {
    for (bool shared : {true, false}) {
      check_deep_norm<float>(c, shared);
      check_deep_norm<Half>(c, shared);
    }
  }
}

constexpr AscendC::LayerNormConfig kNoBeta{true, false, false, true};
constexpr AscendC::NormalizeConfig kPlain{AscendC::ReducePattern::AR, -1, true, true, false};

// T: values; U: gamma and beta. LayerNorm writes means and 1 / deviations; Normalize gets means and
// variances from kThird on.
template <typename T, typename U>
struct Rstd {
  Rows c;
  bool shared;
  Inputs<T> in{c};
  std::vector<U> gamma = spread<U>(c.pitch, 3, -2, 2), beta = spread<U>(c.pitch, 4, -1, 1);
  std::vector<Moments> moments;

  Rstd(const Rows& rows, bool with_buffer) : c(rows), shared(with_buffer) {
    in.image.fill(kSrc1, gamma);
    in.image.fill(kBeta, beta);
    for (uint32_t i = 0; i < c.rows; ++i) {
      moments.push_back(moments_of(c, [&](uint32_t j) { return wide(in.x[i * c.pitch + j]); }));
      in.image.set(kThird + i * 4, static_cast<float>(moments[i].mean));
      in.image.set(kThird + 512 + i * 4, static_cast<float>(moments[i].variance));
    }
  }

  template <const AscendC::LayerNormConfig& config>
  Image layer_norm() const {
    uint32_t max = 0, min = 0;
    AscendC::tiling::LayerNormSeparateTiling tiling;
    const ge::Shape shape({c.rows, c.pitch});
    AscendC::GetLayerNormMaxMinTmpSize(shape, sizeof(T), false, true, false, max, min);
    AscendC::GetLayerNormNDTilingInfo(shape, min, sizeof(T), false, true, tiling);
    return run(in.image, piped([&] {
                 const auto d = at<T>(kDst), x = at<T>(kSrc0);
                 const auto m = at<float>(kFirst), r = at<float>(kSecond);
                 const auto g = at<U>(kSrc1), b = at<U>(kBeta);
                 const AscendC::LayerNormPara para{c.rows, c.length, c.pitch};
                 if (shared)
                   return AscendC::LayerNorm<U, T, false, config>(d, m, r, x, g, b, 0.01f,
                                                                  temporary(min), para, tiling);
                 AscendC::LayerNorm<U, T, false, config>(d, m, r, x, g, b, 0.01f, para, tiling);
               }))
        .image;
  }
  template <const AscendC::NormalizeConfig& config>
  Image normalize() const {
    uint32_t max = 0, min = 0;
    AscendC::GetNormalizeMaxMinTmpSize(ge::Shape({c.rows, c.pitch}), sizeof(U), sizeof(T), false,
                                       true, false, max, min);
    return run(in.image, piped([&] {
                 const auto d = at<T>(kDst), x = at<T>(kSrc0);
                 const auto r = at<float>(kSecond), m = at<float>(kThird),
                            v = at<float>(kThird + 512);
                 const auto g = at<U>(kSrc1), b = at<U>(kBeta);
                 const AscendC::NormalizePara para{c.rows, c.length, c.pitch};
                 if (shared)
                   return AscendC::Normalize<U, T, false, config>(d, r, m, v, x, g, b,
                                                                  temporary(min), 0.01f, para);
                 AscendC::Normalize<U, T, false, config>(d, r, m, v, x, g, b, 0.01f, para);
               }))
        .image;
  }
  void expect(const Image& after, bool with_gamma, bool with_beta) const {
    for (uint32_t i = 0; i < c.rows; ++i) {
      const double rstd = 1 / std::sqrt(moments[i].variance + 0.01f);
      ASSERT_LE(distance(after.get<float>(kSecond + i * 4), rstd, 0), 16);
      for (uint32_t j = 0; j < c.length; ++j) {
        double y = (wide(in.x[i * c.pitch + j]) - moments[i].mean) * rstd;
        if (with_gamma) y *= wide(gamma[j]);
        if (with_beta) y += wide(beta[j]);
        ASSERT_LE(distance(after.get<T>((i * c.pitch + j) * sizeof(T)), y, 1), bound<T>(16))
            << c.rows << "x" << c.length << " at " << i << "," << j;
      }
    }
  }
};
template <typename T, typename U>
void check_rstd() {
  for (const Rows& c : kCases) {
    for (bool shared : {true, false}) {
      const Rstd<T, U> test(c, shared);
      const Image both = test.template layer_norm<AscendC::LNCFG_NORM>();
      test.expect(both, true, true);
      for (uint32_t i = 0; i < c.rows; ++i)
        ASSERT_LE(distance(both.get<float>(kFirst + i * 4), test.moments[i].mean, 1), 16);
      test.expect(test.template layer_norm<kNoBeta>(), true, false);
      test.expect(test.template normalize<AscendC::NLCFG_NORM>(), true, true);
      test.expect(test.template normalize<kPlain>(), false, false);
    }
  }
}
TEST(AdvancedNormFamily, LayerNormWithRstdAndNormalize) {
  check_rstd<float, float>();
  check_rstd<Half, Half>();
  check_rstd<Half, float>();
}

template <typename T>
void check_gradients(const Rows& c, bool shared, bool in_place) {
  const Inputs<T> in(c);
  Image before = in.image;
  std::vector<T> mean(c.rows), variance(c.rows);
  for (uint32_t i = 0; i < c.rows; ++i) {
    const Moments m = moments_of(c, [&](uint32_t j) { return wide(in.x[i * c.pitch + j]); });
    mean[i] = static_cast<T>(static_cast<float>(m.mean));
    variance[i] = static_cast<T>(static_cast<float>(m.variance));
  }
  before.fill(kFirst, mean);
  before.fill(kSecond, variance);
  const ge::Shape shape({1, c.rows, c.pitch, c.length});
  uint32_t max = 0, min = 0, beta_min = 0;
  AscendC::GetLayerNormGradMaxMinTmpSize(shape, sizeof(T), false, max, min);
  AscendC::GetLayerNormGradBetaMaxMinTmpSize(shape, sizeof(T), false, max, beta_min);
  LayerNormGradTiling tiling;
  LayerNormGradBetaTiling beta_tiling;
  AscendC::GetLayerNormGradNDTilingInfo(shape, min / 4, sizeof(T), false, tiling);
  AscendC::GetLayerNormGradBetaNDTilingInfo(shape, beta_min / 4, sizeof(T), false, beta_tiling);
  const T epsilon = static_cast<T>(0.5f);
  const uint32_t pd_x = in_place ? kSrc0 : kDst, for_gamma = kDst + 4096;
  const Image after =
      run(before, piped([&] {
            const auto dx = at<T>(pd_x), r = at<T>(for_gamma), dy = at<T>(kSrc0 + 4096),
                       x = at<T>(kSrc0), v = at<T>(kSecond), m = at<T>(kFirst), g = at<T>(kSrc1);
            const auto dg = at<T>(kThird), db = at<T>(kThird + 2048);
            if (shared) {
              auto tmp = temporary(min), beta_tmp = temporary(beta_min);
              AscendC::LayerNormGrad<T, false>(dx, r, dy, x, v, m, g, tmp, epsilon, tiling);
              return AscendC::LayerNormGradBeta<T, false>(dg, db, r, dy, beta_tmp, beta_tiling);
            }
            AscendC::LayerNormGrad(dx, r, dy, x, v, m, g, epsilon, tiling,
                                   {AscendC::DataFormat::ND});
            AscendC::LayerNormGradBeta(dg, db, r, dy, beta_tiling);
          }))
          .image;
  std::vector<double> gamma(c.length), beta(c.length), sizes(c.length);
  for (uint32_t i = 0; i < c.rows; ++i) {
    const auto element = [&](const std::vector<T>& v, uint32_t j) {
      return wide(v[i * c.pitch + j]);
    };
    const double rstd = 1 / std::sqrt(wide(variance[i]) + wide(epsilon));
    double pd_variance = 0, pd_mean = 0, sum = 0, size = 1;
    for (uint32_t j = 0; j < c.length; ++j) {
      const double x1 = element(in.other, j) * wide(in.gamma[j]);
      const double x2 = element(in.x, j) - wide(mean[i]);
      pd_variance += -0.5 * x1 * x2 * rstd * rstd * rstd;
      pd_mean -= x1 * rstd;
      sum += -2 * x2;
      size += std::fabs(x1 * rstd) / c.length + std::fabs(x1 * x2 * rstd * rstd * rstd) / c.length;
    }
    pd_mean += pd_variance * sum / c.length;
    for (uint32_t j = 0; j < c.length; ++j) {
      const double x2 = element(in.x, j) - wide(mean[i]);
      const double y = element(in.other, j) * wide(in.gamma[j]) * rstd +
                       pd_variance * 2 / c.length * x2 + pd_mean / c.length;
      const uint64_t at = (i * c.pitch + j) * sizeof(T);
      ASSERT_LE(distance(after.get<T>(pd_x + at), y, 4 * size), bound<T>(32))
          << c.rows << "x" << c.length << " at " << i << "," << j;
      ASSERT_LE(distance(after.get<T>(for_gamma + at), x2 * rstd, 1), bound<T>(8));
      const double g = wide(after.get<T>(for_gamma + at)) * element(in.other, j);
      gamma[j] += g;
      beta[j] += element(in.other, j);
      sizes[j] += std::fabs(g) + std::fabs(element(in.other, j));
    }
  }
  for (uint32_t j = 0; j < c.length; ++j) {
    ASSERT_LE(distance(after.get<T>(kThird + j * sizeof(T)), gamma[j], sizes[j]), bound<T>(8));
    ASSERT_LE(distance(after.get<T>(kThird + 2048 + j * sizeof(T)), beta[j], sizes[j]),
              bound<T>(8));
  }
}
TEST(AdvancedNormFamily, LayerNormGradAndBeta) {
  for (const Rows& c : kCases) {
    for (bool shared : {true, false}) {
      check_gradients<float>(c, shared, false);
      check_gradients<Half>(c, shared, false);
    }
    check_gradients<float>(c, true, true);
    check_gradients<Half>(c, true, true);
  }
}

TEST(AdvancedNormFamily, Refusals) {
  const auto fault = [](auto body) {
    const auto faults = faults_of(piped(body));
    return faults.empty() ? std::string("none") : faults[0].code + " " + faults[0].message;
  };
  EXPECT_THAT(fault([] {
                RmsNormTiling t;
                t.bLength = t.sLength = 1;
                t.hLength = 16;
                t.originalHLength = 17;
                const auto x = at<float>(kSrc0);
                AscendC::RmsNorm(at<float>(kDst), x, x, 0.1f, t);
              }),
              ::testing::HasSubstr("EK1802 RmsNorm: the length of a row must be from 1"));
  EXPECT_THAT(fault([] {
                const auto x = at<float>(kSrc0);
                AscendC::NormalizePara para{1, 9, 9};
                AscendC::Normalize<float, float>(at<float>(kDst), x, x, x, x, x, x, 0.1f, para);
              }),
              ::testing::HasSubstr("EK1802 Normalize: the bytes of a row"));
  EXPECT_THAT(fault([] {
                LayerNormGradBetaTiling t;
                t.bLength = t.sLength = 1;
                t.hLength = t.originalHLength = 16;
                const auto x = at<float>(kSrc0);
                AscendC::LayerNormGradBeta(at<float>(kDst), x, x, x, temporary(64), t);
              }),
              ::testing::HasSubstr("EK1801 LayerNormGradBeta: needs"));
}

}  // namespace
}  // namespace conformance
