// Sum, Mean and the softmax family against twins in double, over float and half, row lengths around
// an iteration, padded rows, with the smallest buffer and with the rest of UB. Bounds: sums 4 units
// of the sum of magnitudes; softmax 24 (float: exp of a rounded difference) and 1 (half) units.
// Columns of padding take no part in maxima and sums of softmax, but have results.
#include <gmock/gmock.h>

#include "opkit/include/ascendc/advanced_reduce.h"
#include "opkit/include/ascendc/advanced_softmax_flash.h"
#include "opkit/include/ascendc/advanced_softmax_grad.h"
#include "tests/conformance/advanced.h"

namespace conformance {
namespace {

constexpr uint32_t kStats = kSrc1, kOtherStats = kSrc1 + 1024, kThirdStats = kSrc1 + 2048;

struct Rows {
  uint32_t rows, pitch, length;
};
const Rows kCases[] = {{1, 16, 1},  {3, 16, 16},     {2, 64, 63},
                       {5, 80, 65}, {1, 1008, 1000}, {7, 128, 128}};

template <typename T>
double value(const Image& image, uint64_t element) {
  return static_cast<float>(image.get<T>(element * sizeof(T)));
}
template <typename T>
Image rows_image(uint32_t seed, float magnitude) {
  Image image(seed);
  for (uint32_t base : {kDst, kSrc0, kSrc1, kSrc2})
    image.fill(base, spread<T>(8192 / sizeof(T), seed + base, -magnitude, magnitude));
  return image;
}

template <typename T>
void check_sums() {
  for (const Rows& c : kCases) {
    const Image before = rows_image<T>(4, 5);
    for (int form = 0; form < 4; ++form) {
      const Image after = run(before, piped([&] {
                                const auto d = at<T>(kDst), s = at<T>(kSrc0);
                                const AscendC::SumParams sum{c.rows, c.pitch, c.length};
                                const AscendC::MeanParams mean{c.rows, c.pitch, c.length};
                                switch (form) {
                                  case 0: return AscendC::Sum(d, s, temporary(512), sum);
                                  case 1: return AscendC::Sum(d, s, sum);
                                  case 2:
                                    return AscendC::Mean<T, float>(d, s, temporary(8192), mean);
                                  default: return AscendC::Mean<T, float>(d, s, mean);
                                }
                              }))
                              .image;
      for (uint32_t i = 0; i < c.rows; ++i) {
        double sum = 0, magnitude = 0;
        for (uint32_t j = 0; j < c.length; ++j) {
          const double x = value<T>(before, kSrc0 / sizeof(T) + i * c.pitch + j);
          sum += x;
          magnitude += std::fabs(x);
        }
        const double scale = form < 2 ? 1 : 1.0 / c.length;
        ASSERT_LE(distance(after.get<T>(i * sizeof(T)), sum * scale, magnitude * scale), 4)
            << c.rows << "x" << c.length << " form " << form;
      }
      ASSERT_TRUE(untouched(before, after, c.rows * sizeof(T)));
    }
  }
}
TEST(AdvancedRows, SumAndMean) {
  check_sums<float>();
  check_sums<Half>();
}

SoftMaxTiling tiling_of(const Rows& c) {
  SoftMaxTiling tiling;
  tiling.srcM = c.rows;
  tiling.srcK = c.pitch;
  return tiling;
}
AscendC::SoftMaxShapeInfo info_of(const Rows& c) { return {c.rows, c.pitch, c.rows, c.length}; }

struct Twin {
  double maximum = -INFINITY, sum = 0;
};
template <typename T>
Twin twin_of(const Image& before, const Rows& c, uint32_t row) {
  Twin t;
  const uint64_t first = kSrc0 / sizeof(T) + row * c.pitch;
  for (uint32_t j = 0; j < c.length; ++j)
    t.maximum = std::max(t.maximum, value<T>(before, first + j));
  for (uint32_t j = 0; j < c.length; ++j)
    t.sum += std::exp(value<T>(before, first + j) - t.maximum);
  return t;
}

template <typename T, typename S>
void expect_block(const Image& after, uint32_t byte, uint32_t row, double expected, double bound) {
  for (uint32_t lane = 0; lane < 32 / sizeof(S); ++lane)
    ASSERT_LE(distance(after.get<S>(byte + row * 32 + lane * sizeof(S)), expected, 0), bound)
        << "row " << row << " lane " << lane;
}

template <typename T, typename S>
void check_softmax(bool shared, bool logarithm) {
  const double bound = sizeof(T) == 4 ? 24 : 1;
  for (const Rows& c : kCases) {
    const Image before = rows_image<T>(6, 8);
    const uint32_t bytes = (c.pitch + 32) * 4;
    const Image after = run(before, piped([&] {
                              const auto d = at<T>(kDst), s = at<T>(kSrc0);
                              const auto sum = at<S>(kStats), max = at<S>(kOtherStats);
                              if constexpr (std::is_same_v<T, S>) {
                                LogSoftMaxTiling log;
                                log.srcM = c.rows;
                                log.srcK = c.pitch;
                                if (logarithm)
                                  return AscendC::LogSoftMax<T>(d, sum, max, s, log, info_of(c));
                              }
                              if (shared)
                                return AscendC::SoftMax<T>(d, sum, max, s, temporary(bytes),
                                                           tiling_of(c), info_of(c));
                              AscendC::SoftMax<T>(d, sum, max, s, tiling_of(c), info_of(c));
                            }))
                            .image;
    for (uint32_t i = 0; i < c.rows; ++i) {
      const Twin t = twin_of<T>(before, c, i);
      for (uint32_t j = 0; j < c.pitch; ++j) {
        const double x = value<T>(before, kSrc0 / sizeof(T) + i * c.pitch + j) - t.maximum;
        const double y = logarithm ? std::log10(std::exp(x) / t.sum) : std::exp(x) / t.sum;
        ASSERT_LE(distance(after.get<T>((i * c.pitch + j) * sizeof(T)), y, logarithm ? 1 : 0),
                  bound)
            << c.rows << "x" << c.length << " at " << i << "," << j;
      }
      expect_block<T, S>(after, kOtherStats, i, t.maximum, 0);
      expect_block<T, S>(after, kStats, i, t.sum, sizeof(S) == 4 ? 16 : 1);
    }
  }
}
TEST(AdvancedSoftmax, SoftMax) {
  for (bool shared : {true, false}) {
    check_softmax<float, float>(shared, false);
    check_softmax<Half, Half>(shared, false);
    check_softmax<Half, float>(shared, false);
  }
}
TEST(AdvancedSoftmax, LogSoftMax) {
  check_softmax<float, float>(false, true);
  check_softmax<Half, Half>(false, true);
}

template <typename T, typename S>
void check_flash() {
  const double bound = sizeof(T) == 4 ? 24 : 1;
  const Rows c{5, 80, 65};
  Image before = rows_image<T>(8, 8);
  for (uint32_t i = 0; i < 8 * 32 / sizeof(S); ++i) {
    before.set(kStats + i * sizeof(S), static_cast<S>(2.5f));
    before.set(kOtherStats + i * sizeof(S), static_cast<S>(i / (32 / sizeof(S)) % 2 ? 9.0f : 5.0f));
  }
  const Image after = run(before, piped([&] {
                            const auto sum = at<S>(kStats), max = at<S>(kOtherStats);
                            AscendC::SoftmaxFlashV2<T, true>(
                                at<T>(kDst), sum, max, at<T>(kSrc0), at<T>(kThirdStats), sum, max,
                                temporary((c.pitch + 32) * 4), tiling_of(c), info_of(c));
                          }))
                          .image;
  for (uint32_t i = 0; i < c.rows; ++i) {
    const Twin t = twin_of<T>(before, c, i);
    const double old = i % 2 ? 9 : 5, maximum = std::max(old, t.maximum);
    const double factor = std::exp(old - maximum);
    for (uint32_t j = 0; j < c.pitch; ++j) {
      const double x = value<T>(before, kSrc0 / sizeof(T) + i * c.pitch + j);
      ASSERT_LE(distance(after.get<T>((i * c.pitch + j) * sizeof(T)), std::exp(x - maximum), 0),
                bound);
    }
    expect_block<T, S>(after, kOtherStats, i, maximum, 0);
    expect_block<T, T>(after, kThirdStats, i, factor, sizeof(T) == 4 ? 8 : 1);
    expect_block<T, S>(after, kStats, i, factor * 2.5 + t.sum * std::exp(t.maximum - maximum),
                       sizeof(S) == 4 ? 16 : 1);
  }
}
TEST(AdvancedSoftmax, FlashUpdate) {
  check_flash<float, float>();
  check_flash<Half, Half>();
  check_flash<Half, float>();
}

// Without update, and SimpleSoftMax from the statistics that the same kernel computed.
template <typename T, typename S>
void check_first_flash() {
  const double bound = sizeof(T) == 4 ? 24 : sizeof(S) == 4 ? 1 : 2;
  const Rows c{4, 80, 65};
  const Image before = rows_image<T>(12, 8);
  for (bool simple : {false, true}) {
    const Image after =
        run(before, piped([&] {
              const auto d = at<T>(kDst), s = at<T>(kSrc0);
              const auto sum = at<S>(kStats), max = at<S>(kOtherStats), unused = at<S>(kSrc2);
              AscendC::SoftmaxFlashV2<T>(d, sum, max, s, at<T>(kThirdStats), unused, unused,
                                         tiling_of(c), info_of(c));
              if (simple)
                AscendC::SimpleSoftMax<T>(d, sum, max, s, temporary((c.pitch + 32) * 4),
                                          tiling_of(c), info_of(c));
            }))
            .image;
    for (uint32_t i = 0; i < c.rows; ++i) {
      const Twin t = twin_of<T>(before, c, i);
      for (uint32_t j = 0; j < c.pitch; ++j) {
        const double x = value<T>(before, kSrc0 / sizeof(T) + i * c.pitch + j) - t.maximum;
        const double y = std::exp(x) / (simple ? t.sum : 1);
        ASSERT_LE(distance(after.get<T>((i * c.pitch + j) * sizeof(T)), y, 0), bound) << simple;
      }
    }
    EXPECT_EQ(std::memcmp(after.data() + kThirdStats, before.data() + kThirdStats, 1024), 0);
  }
}
TEST(AdvancedSoftmax, FlashWithoutUpdateAndSimple) {
  check_first_flash<float, float>();
  check_first_flash<Half, Half>();
  check_first_flash<Half, float>();
}

template <typename T>
void check_grad(bool front) {
  const Rows c{3, 80, 65};
  const Image before = rows_image<T>(9, 1);
  const Image after = run(before, piped([&] {
                            AscendC::SoftmaxGrad<T>(at<T>(kDst), at<T>(kSrc1), at<T>(kSrc0),
                                                    tiling_of(c), front, info_of(c));
                          }))
                          .image;
  for (uint32_t i = 0; i < c.rows; ++i) {
    double sum = 0;
    const auto grad = [&](uint32_t j) {
      return value<T>(before, kSrc1 / sizeof(T) + i * c.pitch + j);
    };
    const auto x = [&](uint32_t j) {
      return value<T>(before, kSrc0 / sizeof(T) + i * c.pitch + j);
    };
    for (uint32_t j = 0; j < c.length; ++j) sum += grad(j) * x(j);
    if (front) {
      for (uint32_t lane = 0; lane < 32 / sizeof(T); ++lane)
        ASSERT_LE(distance(after.get<T>(i * 32 + lane * sizeof(T)), sum, 16), 4);
      continue;
    }
    for (uint32_t j = 0; j < c.pitch; ++j)
      ASSERT_LE(distance(after.get<T>((i * c.pitch + j) * sizeof(T)), (grad(j) - sum) * x(j), 16),
                4);
  }
}
TEST(AdvancedSoftmax, Grad) {
  for (bool front : {false, true}) {
    check_grad<float>(front);
    check_grad<Half>(front);
  }
}

TEST(AdvancedSoftmax, AdjustReplacesMarkedRows) {
  Image before = rows_image<float>(10, 1);
  for (uint32_t lane = 0; lane < 8; ++lane) before.set(kStats + 32 + 4 * lane, -1e30f);
  uint32_t pattern;
  const float mark = -1e30f;
  std::memcpy(&pattern, &mark, 4);
  const Outcome o = run(before, piped([&] {
                          kernel_result = AscendC::AdjustSoftMaxRes<float, float>(
                              at<float>(kDst), at<float>(kStats), pattern, 0.25f, {3, 16, 3, 16});
                        }));
  EXPECT_EQ(o.result, 1u);
  for (uint32_t i = 0; i < 48; ++i)
    EXPECT_EQ(o.image.get<float>(4 * i), i / 16 == 1 ? 0.25f : before.get<float>(4 * i));
}

TEST(AdvancedSoftmax, Refusals) {
  const auto fault = [](auto body) {
    const auto faults = faults_of(piped(body));
    return faults.empty() ? std::string("none") : faults[0].code + " " + faults[0].message;
  };
  const Rows c{2, 16, 16}, odd{2, 15, 15};
  const auto d = [] { return at<float>(kDst); };
  const auto s = [] { return at<float>(kSrc0); };
  EXPECT_THAT(
      fault([&] { AscendC::SoftMax<float>(d(), s(), temporary(64), tiling_of(c)); }),
      ::testing::HasSubstr("EK1801 SoftMax: needs 128 bytes of temporary buffer, but has 64"));
  EXPECT_THAT(fault([&] { AscendC::SoftMax<float>(d(), s(), tiling_of(odd)); }),
              ::testing::HasSubstr("EK1802 SoftMax: the bytes of a row must be a multiple of 32"));
  EXPECT_THAT(fault([&] {
                AscendC::Sum(d(), s(), AscendC::SumParams{1, 16, 17});
              }),
              ::testing::HasSubstr("EK1802 Sum: n must be from 1 to inner, but it is 17"));
}

}  // namespace
}  // namespace conformance
