// SoftmaxFlash, SoftmaxFlashV2 with one statistic per row (SOFTMAX_OUTPUT_WITHOUT_BRC), SoftMax
// with it, SoftmaxFlashV3 and AdjustSoftMaxRes by elements against twins in double. Bounds as for
// SoftMax: 24 units (float: exp of a rounded difference) and 1 unit (half); statistics 16 and 1.
#include <gmock/gmock.h>

#include "opkit/include/ascendc/advanced_softmax_flash.h"
#include "opkit/include/ascendc/advanced_softmax_shift.h"
#include "tests/conformance/advanced.h"
#include "tiling/tiling_api.h"

namespace conformance {
namespace {

using AscendC::SoftmaxConfig;
using AscendC::SoftmaxMode;
constexpr SoftmaxConfig kSingles{true, 0, 0, SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC};
constexpr SoftmaxConfig kFixed{true, 3, 63, SoftmaxMode::SOFTMAX_NORMAL};
constexpr uint32_t kSum = kSrc1, kMax = kSrc1 + 1024, kExp = kSrc1 + 2048, kRowMax = kSrc1 + 3072,
                   kOldSum = kSrc2, kOldMax = kSrc2 + 1024;

struct Rows {
  uint32_t rows, pitch, length;
};
const Rows kCases[] = {{1, 16, 1}, {3, 64, 63}, {5, 80, 65}, {9, 128, 128}, {2, 1008, 1000}};

template <typename T>
double element(const Image& image, uint32_t byte, uint32_t index) {
  return static_cast<float>(image.get<T>(byte + index * sizeof(T)));
}
struct Twin {
  double maximum = -INFINITY, sum = 0;
};
template <typename T>
Twin twin_of(const Image& before, const Rows& c, uint32_t row) {
  Twin t;
  for (uint32_t j = 0; j < c.length; ++j)
    t.maximum = std::max(t.maximum, element<T>(before, kSrc0, row * c.pitch + j));
  for (uint32_t j = 0; j < c.length; ++j)
    t.sum += std::exp(element<T>(before, kSrc0, row * c.pitch + j) - t.maximum);
  return t;
}
// Old statistics of row i: maximum 5 or 9, sum 2.5; `step` elements per row.
template <typename T, typename S>
Image with_statistics(uint32_t seed, uint32_t step) {
  Image image(seed);
  image.fill(kSrc0, spread<T>(8192 / sizeof(T), seed, -8, 8));
  for (uint32_t i = 0; i < 16 * step; ++i) {
    image.set(kOldSum + i * sizeof(S), static_cast<S>(2.5f));
    image.set(kOldMax + i * sizeof(S), static_cast<S>(i / step % 2 ? 9.0f : 5.0f));
  }
  return image;
}
double old_maximum(uint32_t row) { return row % 2 ? 9 : 5; }
template <typename T>
double units(double floats) {
  return sizeof(T) == 4 ? floats : 1;
}
AscendC::SoftMaxShapeInfo info_of(const Rows& c) { return {c.rows, c.pitch, c.rows, c.length}; }

template <typename T, typename S>
void check_first_version(const Rows& c, bool update, bool shared) {
  constexpr uint32_t kLanes = 32 / sizeof(S);
  const Image before = with_statistics<T, S>(71, kLanes);
  const ge::Shape shape({c.rows, c.pitch});
  const uint32_t bytes = AscendC::GetSoftMaxFlashMinTmpSize(shape, sizeof(S), update, false);
  SoftMaxTiling tiling;
  AscendC::SoftMaxFlashTilingFunc(shape, sizeof(S), bytes, tiling, update);
  const Image after =
      run(before, piped([&] {
            const auto d = at<T>(kDst), s = at<T>(kSrc0), e = at<T>(kExp);
            const auto sum = at<S>(kSum), max = at<S>(kMax), old = at<S>(kOldSum),
                       old_max = at<S>(kOldMax);
            if (shared)
              return AscendC::SoftmaxFlash<T>(d, sum, max, s, e, old, old_max, temporary(bytes),
                                              tiling, update, info_of(c));
            AscendC::SoftmaxFlash<T>(d, sum, max, s, e, old, old_max, tiling, update, info_of(c));
          }))
          .image;
  for (uint32_t i = 0; i < c.rows; ++i) {
    const Twin t = twin_of<T>(before, c, i);
    const double maximum = update ? std::max(old_maximum(i), t.maximum) : t.maximum;
    const double share = update ? std::exp(old_maximum(i) - maximum) * 2.5 : 0;
    const double sum = share + t.sum * std::exp(t.maximum - maximum);
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      ASSERT_LE(distance(after.get<S>(kSum + i * 32 + lane * sizeof(S)), sum, 0), units<S>(16));
      ASSERT_LE(distance(after.get<S>(kMax + i * 32 + lane * sizeof(S)), maximum, 0), 0);
    }
    for (uint32_t lane = 0; update && lane < 32 / sizeof(T); ++lane)
      ASSERT_LE(distance(after.get<T>(kExp + i * 32 + lane * sizeof(T)), share / sum, 0),
                units<T>(24));
    for (uint32_t j = 0; j < c.pitch; ++j) {
      const double y = std::exp(element<T>(before, kSrc0, i * c.pitch + j) - maximum) / sum;
      ASSERT_LE(distance(after.get<T>((i * c.pitch + j) * sizeof(T)), y, 0), units<T>(24))
          << c.rows << "x" << c.length << " at " << i << "," << j;
    }
  }
}
TEST(AdvancedFlash, FirstVersion) {
  for (const Rows& c : kCases) {
    for (bool update : {true, false}) {
      for (bool shared : {true, false}) {
        check_first_version<float, float>(c, update, shared);
        check_first_version<Half, Half>(c, update, shared);
        check_first_version<Half, float>(c, update, shared);
      }
    }
  }
}

template <typename T, typename S, bool kUpdate>
void check_singles(const Rows& c, bool shared, bool row_max) {
  const Image before = with_statistics<T, S>(72, 1);
  const ge::Shape shape({c.rows, c.pitch});
  const uint32_t bytes =
      AscendC::GetSoftMaxFlashV2MinTmpSize(shape, sizeof(T), sizeof(S), kUpdate, false, true);
  SoftMaxTiling t;
  AscendC::SoftMaxFlashV2TilingFunc(shape, sizeof(T), sizeof(S), bytes, t, kUpdate, false, true);
  const Image after =
      run(before, piped([&] {
            const auto d = at<T>(kDst), s = at<T>(kSrc0), e = at<T>(kExp);
            const auto sum = at<S>(kSum), max = at<S>(kMax), old = at<S>(kOldSum),
                       old_max = at<S>(kOldMax);
            const auto m = temporary(bytes);
            if constexpr (std::is_same_v<T, S>) {
              const auto r = at<T>(kRowMax);
              if (row_max && shared)
                return AscendC::SoftmaxFlashV2<T, kUpdate, false, false, false, kSingles>(
                    d, r, sum, max, s, e, old, old_max, m, t, info_of(c));
              if (row_max)
                return AscendC::SoftmaxFlashV2<T, kUpdate, false, false, false, kSingles>(
                    d, r, sum, max, s, e, old, old_max, t, info_of(c));
            }
            if (shared)
              return AscendC::SoftmaxFlashV2<T, kUpdate, false, false, false, kSingles>(
                  d, sum, max, s, e, old, old_max, m, t, info_of(c));
            AscendC::SoftmaxFlashV2<T, kUpdate, false, false, false, kSingles>(
                d, sum, max, s, e, old, old_max, t, info_of(c));
          }))
          .image;
  for (uint32_t i = 0; i < c.rows; ++i) {
    const Twin w = twin_of<T>(before, c, i);
    const double maximum = kUpdate ? std::max(old_maximum(i), w.maximum) : w.maximum;
    const double factor = std::exp(old_maximum(i) - maximum);
    const double sum = (kUpdate ? factor * 2.5 : 0) + w.sum * std::exp(w.maximum - maximum);
    ASSERT_LE(distance(after.get<S>(kSum + i * sizeof(S)), sum, 0), units<S>(16));
    ASSERT_LE(distance(after.get<S>(kMax + i * sizeof(S)), maximum, 0), 0);
    if (kUpdate) {
      ASSERT_LE(distance(after.get<T>(kExp + i * sizeof(T)), factor, 0), units<T>(8));
    }
    if (kUpdate && row_max && std::is_same_v<T, S>) {
      ASSERT_LE(distance(after.get<T>(kRowMax + i * sizeof(T)), w.maximum, 0), 0);
    }
    for (uint32_t j = 0; j < c.pitch; ++j) {
      const double y = std::exp(element<T>(before, kSrc0, i * c.pitch + j) - maximum);
      ASSERT_LE(distance(after.get<T>((i * c.pitch + j) * sizeof(T)), y, 0), units<T>(24));
    }
  }
  ASSERT_EQ(std::memcmp(after.data() + kSum + c.rows * sizeof(S),
                        before.data() + kSum + c.rows * sizeof(S), 512),
            0);
}
TEST(AdvancedFlash, OneStatisticPerRow) {
  for (const Rows& c : kCases) {
    for (bool shared : {true, false}) {
      for (bool row_max : {true, false}) {
        check_singles<float, float, true>(c, shared, row_max);
        check_singles<Half, Half, true>(c, shared, row_max);
        check_singles<Half, float, true>(c, shared, row_max);
        check_singles<float, float, false>(c, shared, row_max);
      }
    }
  }
}
// A configuration with a shape counts for more than the tiling's.
TEST(AdvancedFlash, ConfiguredShape) {
  const Rows c{3, 64, 63};
  const Image before = with_statistics<float, float>(73, 8);
  SoftMaxTiling tiling;
  tiling.srcM = 3;
  tiling.srcK = 64;
  const Image after = run(before, piped([&] {
                            AscendC::SoftMax<float, false, false, kFixed>(at<float>(kDst),
                                                                          at<float>(kSrc0), tiling);
                          }))
                          .image;
  for (uint32_t i = 0; i < c.rows; ++i) {
    const Twin t = twin_of<float>(before, c, i);
    for (uint32_t j = 0; j < c.pitch; ++j) {
      const double y = std::exp(element<float>(before, kSrc0, i * 64 + j) - t.maximum) / t.sum;
      ASSERT_LE(distance(after.get<float>((i * 64 + j) * 4), y, 0), 24);
    }
  }
}

// The page's formulas, in double.
struct Shifted {
  std::vector<double> y;
  double mean, maximum, sum, exp_max = 0;
};
Shifted shifted(std::vector<double> x, double alpha, double count, bool update, double old_mean,
                double old_sum, double old_max) {
  const double scalar = alpha / (1 - alpha);
  const size_t part = x.size() / 8;
  double mean = 0, part_mean[8] = {};
  for (size_t j = 0; j < x.size(); ++j) {
    part_mean[j / part] += x[j] / static_cast<double>(part);
    mean += x[j] / static_cast<double>(x.size());
  }
  Shifted s{{}, update ? (mean + old_mean * (count - 1)) / count : mean, 0, 0};
  double maximum = -INFINITY;
  for (size_t j = 0; j < x.size(); ++j) {
    x[j] -= (mean - part_mean[j / part]) * scalar;
    maximum = std::max(maximum, x[j]);
  }
  const double now = (mean - s.mean) * scalar, before = (old_mean - s.mean) * scalar;
  s.maximum = now + maximum;
  if (update) {
    s.maximum = std::max(s.maximum, before + old_max);
    s.exp_max = std::exp(old_max - s.maximum + before);
    s.sum = s.exp_max * old_sum;
  }
  for (double v : x) {
    s.y.push_back(std::exp(v - (s.maximum - now)));
    s.sum += s.y.back();
  }
  return s;
}
template <bool kUpdate>
void check_shift(uint32_t rows, uint32_t length, bool shared) {
  Image before(74);
  const auto x = spread<Half>(rows * length, 5, -2, 3);
  before.fill(kSrc0, x);
  const std::vector<float> old_mean(rows * 8, 0.25f), old_sum(rows * 8, 3.0f),
      old_max(rows * 8, 2.0f);
  before.fill(kOldSum, old_sum);
  before.fill(kOldMax, old_max);
  before.fill(kOldMax + 1024, old_mean);
  uint32_t max = 0, min = 0;
  AscendC::GetSoftMaxFlashV3MaxMinTmpSize(ge::Shape({rows, length}), 2, 4, max, min, kUpdate);
  SoftMaxTiling tiling;
  const AscendC::SoftMaxParams p{rows, length, rows, length, 3, 8, 0.9375f};
  const Image after = run(before, piped([&] {
                            const auto d = at<Half>(kDst), s = at<Half>(kSrc0), e = at<Half>(kExp);
                            const auto mean = at<float>(kRowMax), sum = at<float>(kSum),
                                       m = at<float>(kMax);
                            const auto om = at<float>(kOldMax + 1024), os = at<float>(kOldSum),
                                       ox = at<float>(kOldMax);
                            if (shared)
                              return AscendC::SoftmaxFlashV3<Half, float, kUpdate>(
                                  d, mean, sum, m, s, e, om, os, ox, temporary(min), tiling, p);
                            AscendC::SoftmaxFlashV3<Half, float, kUpdate>(d, mean, sum, m, s, e, om,
                                                                          os, ox, tiling, p);
                          }))
                          .image;
  for (uint32_t i = 0; i < rows; ++i) {
    std::vector<double> row;
    for (uint32_t j = 0; j < length; ++j) row.push_back(static_cast<float>(x[i * length + j]));
    const Shifted s = shifted(row, 0.9375f, 3, kUpdate, 0.25, 3, 2);
    ASSERT_NEAR(after.get<float>(kRowMax + i * 32), s.mean, 1e-5);
    ASSERT_NEAR(after.get<float>(kMax + i * 32 + 28), s.maximum, 1e-4);
    ASSERT_NEAR(after.get<float>(kSum + i * 32 + 4), s.sum, s.sum * 1e-4);
    if (kUpdate) {
      ASSERT_LE(distance(after.get<Half>(kExp + i * 32 + 30), s.exp_max, 0.0625), 1);
    }
    for (uint32_t j = 0; j < length; ++j)
      ASSERT_LE(distance(after.get<Half>((i * length + j) * 2), s.y[j], 0), 1.5)
          << rows << "x" << length << " at " << i << "," << j;
  }
}
TEST(AdvancedFlash, ThirdVersion) {
  for (bool shared : {true, false}) {
    for (uint32_t length : {512u, 576u, 1024u}) {
      check_shift<true>(3, length, shared);
      check_shift<false>(3, length, shared);
    }
  }
}

TEST(AdvancedFlash, AdjustByElements) {
  Image before(75);
  before.fill(kDst, spread<Half>(64, 1, -1, 1));
  const Half mark(-60000.0f);
  before.fill(kSum, std::vector<Half>{Half(1.0f), mark, Half(2.0f), mark});
  const Outcome o =
      run(before, piped([&] {
            kernel_result = AscendC::AdjustSoftMaxRes<Half, Half, false, 1>(
                at<Half>(kDst), at<Half>(kSum), mark.bits, Half(0.5f), {4, 16, 4, 16});
          }));
  EXPECT_EQ(o.result, 1u);
  for (uint32_t i = 0; i < 64; ++i) {
    const float expected = i / 16 % 2 ? 0.5f : static_cast<float>(before.get<Half>(2 * i));
    ASSERT_EQ(static_cast<float>(o.image.get<Half>(2 * i)), expected);
  }
}
TEST(AdvancedFlash, Refusals) {
  const auto faults = faults_of(piped([] {
    const auto h = at<Half>(kSrc0);
    const auto f = at<float>(kSrc1);
    SoftMaxTiling tiling;
    AscendC::SoftmaxFlashV3<Half, float>(at<Half>(kDst), f, f, f, h, h, f, f, f, tiling,
                                         {1, 500, 1, 500, 1, 8, 0.9f});
  }));
  ASSERT_FALSE(faults.empty());
  EXPECT_THAT(faults[0].code + " " + faults[0].message,
              ::testing::HasSubstr("EK1802 SoftmaxFlashV3: srcK must be a multiple of 64"));
}

}  // namespace
}  // namespace conformance
