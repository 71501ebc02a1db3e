// The softmax calls on data in NZ ([srcK / 16][srcM][16]) against twins in double: whole and
// partial last panels, rows and columns of padding, one and many panels, with the smallest buffer
// and with the rest of UB, in place. Bounds as for ND data. Columns of padding take no part in
// maxima and sums but have results of their own; rows of padding are neither read nor written.
#include <gmock/gmock.h>

#include "opkit/include/ascendc/advanced_softmax_flash.h"
#include "opkit/include/ascendc/advanced_softmax_grad.h"
#include "tests/conformance/advanced.h"
#include "tiling/tiling_api.h"

namespace conformance {
namespace {

constexpr uint32_t kSum = kSrc2, kMax = kSrc2 + 2048, kExp = kSrc2 + 4096, kOldSum = kSrc1,
                   kOldMax = kSrc1 + 2048;

// m x k as they lie in memory; rows x length of them count.
struct Panels {
  uint32_t m, k, rows, length;

  uint32_t element(uint32_t i, uint32_t j) const { return j / 16 * m * 16 + i * 16 + j % 16; }
  bool counts(uint32_t i, uint32_t j) const { return i < rows && j < length; }
  AscendC::SoftMaxShapeInfo info() const { return {m, k, rows, length}; }
  template <typename Tiling>
  Tiling tiling() const {
    Tiling t;
    t.srcM = m;
    t.srcK = k;
    return t;
  }
};
const Panels kCases[] = {{16, 16, 16, 16}, {16, 16, 3, 1},    {32, 48, 21, 48}, {48, 32, 48, 17},
                         {16, 80, 9, 65},  {16, 112, 16, 99}, {64, 16, 50, 13}};

template <typename T>
double at_element(const Image& image, uint32_t byte, uint32_t element) {
  return static_cast<float>(image.get<T>(byte + element * sizeof(T)));
}
template <typename T>
uint32_t bytes_of(const Panels& c) {
  return c.m * c.k * static_cast<uint32_t>(sizeof(T));
}
double old_maximum(uint32_t row) { return row % 2 ? 9 : 5; }

// The source at kSrc0; NaN where nothing may be read. Old statistics: maximum 5 or 9, sum 2.5.
template <typename T, typename S>
Image image_of(const Panels& c, uint32_t seed) {
  Image image(seed);
  auto x = spread<T>(c.m * c.k, seed, -8, 8);
  for (uint32_t i = 0; i < c.m; ++i) {
    for (uint32_t j = 0; j < c.k; ++j) {
      if (!c.counts(i, j)) x[c.element(i, j)] = static_cast<T>(NAN);
    }
  }
  image.fill(kSrc0, x);
  constexpr uint32_t kLanes = 32 / sizeof(S);
  for (uint32_t i = 0; i < c.m * kLanes; ++i) {
    image.set(kOldSum + i * sizeof(S), static_cast<S>(2.5f));
    image.set(kOldMax + i * sizeof(S), static_cast<S>(old_maximum(i / kLanes)));
  }
  return image;
}

struct Twin {
  double maximum = -INFINITY, sum = 0;
};
template <typename T>
Twin twin_of(const Image& before, const Panels& c, uint32_t row) {
  Twin t;
  for (uint32_t j = 0; j < c.length; ++j)
    t.maximum = std::max(t.maximum, at_element<T>(before, kSrc0, c.element(row, j)));
  for (uint32_t j = 0; j < c.length; ++j)
    t.sum += std::exp(at_element<T>(before, kSrc0, c.element(row, j)) - t.maximum);
  return t;
}
template <typename T>
double units(double floats) {
  return sizeof(T) == 4 ? floats : 1;
}
template <typename S>
void expect_block(const Image& after, uint32_t byte, uint32_t row, double expected, double bound) {
  for (uint32_t lane = 0; lane < 32 / sizeof(S); ++lane)
    ASSERT_LE(distance(after.get<S>(byte + row * 32 + lane * sizeof(S)), expected, 0), bound)
        << "row " << row << " lane " << lane;
}
// f(row, column): what the result is, in columns of padding, too. Rows of padding are as they were.
template <typename T, typename F>
void expect_panels(const Image& before, const Image& after, uint32_t byte, const Panels& c,
                   double floor, double bound, F&& f) {
  for (uint32_t i = 0; i < c.m; ++i) {
    for (uint32_t j = 0; j < c.k; ++j) {
      const uint32_t place = byte + c.element(i, j) * static_cast<uint32_t>(sizeof(T));
      if (c.counts(i, 0)) {
        ASSERT_LE(distance(after.get<T>(place), f(i, j), floor), bound)
            << c.m << "x" << c.k << " at " << i << "," << j;
      } else {
        ASSERT_EQ(std::memcmp(after.data() + place, before.data() + place, sizeof(T)), 0)
            << "padding at " << i << "," << j;
      }
    }
  }
}

enum class Form { kShared, kRest, kInPlace };
constexpr Form kForms[] = {Form::kShared, Form::kRest, Form::kInPlace};

// exp(x - max) / sum, and their logarithm.
template <typename T, typename S>
void check_softmax(const Panels& c, Form form, bool logarithm) {
  const Image before = image_of<T, S>(c, 81);
  const uint32_t dst = form == Form::kInPlace ? kSrc0 : kDst;
  const uint32_t bytes = AscendC::GetSoftMaxMinTmpSize(ge::Shape({c.m, c.k}), sizeof(S), false);
  const Image after =
      run(before, piped([&] {
            const auto d = at<T>(dst), s = at<T>(kSrc0);
            const auto sum = at<S>(kSum), max = at<S>(kMax);
            const auto tmp = temporary(bytes);
            if constexpr (std::is_same_v<T, S>) {
              const auto t = c.tiling<LogSoftMaxTiling>();
              if (logarithm && form == Form::kRest)
                return AscendC::LogSoftMax<T, false, true>(d, sum, max, s, t, c.info());
              if (logarithm)
                return AscendC::LogSoftMax<T, false, true>(d, sum, max, s, tmp, t, c.info());
            }
            const auto t = c.tiling<SoftMaxTiling>();
            if (form == Form::kRest)
              return AscendC::SoftMax<T, false, false, true>(d, sum, max, s, t, c.info());
            AscendC::SoftMax<T, false, false, true>(d, sum, max, s, tmp, t, c.info());
          }))
          .image;
  std::vector<Twin> twins;
  for (uint32_t i = 0; i < c.rows; ++i) {
    twins.push_back(twin_of<T>(before, c, i));
    expect_block<S>(after, kMax, i, twins[i].maximum, 0);
    expect_block<S>(after, kSum, i, twins[i].sum, units<S>(16));
  }
  expect_panels<T>(before, after, dst, c, logarithm ? 1 : 0, units<T>(24), [&](auto i, auto j) {
    const double y =
        std::exp(at_element<T>(before, kSrc0, c.element(i, j)) - twins[i].maximum) / twins[i].sum;
    return logarithm ? std::log10(y) : y;
  });
}
TEST(AdvancedSoftmaxNz, SoftMax) {
  for (const Panels& c : kCases) {
    for (Form form : kForms) {
      check_softmax<float, float>(c, form, false);
      check_softmax<Half, Half>(c, form, false);
      check_softmax<Half, float>(c, form, false);
    }
  }
}
TEST(AdvancedSoftmaxNz, LogSoftMax) {
  for (const Panels& c : kCases) {
    for (Form form : {Form::kShared, Form::kRest}) {
      check_softmax<float, float>(c, form, true);
      check_softmax<Half, Half>(c, form, true);
    }
  }
}

// From statistics that the kernel is given.
template <typename T, typename S>
void check_simple(const Panels& c, Form form) {
  const Image before = image_of<T, S>(c, 82);
  const uint32_t dst = form == Form::kInPlace ? kSrc0 : kDst;
  const uint32_t bytes = AscendC::GetSoftMaxMinTmpSize(ge::Shape({c.m, c.k}), sizeof(S), false);
  const Image after =
      run(before, piped([&] {
            const auto d = at<T>(dst), s = at<T>(kSrc0);
            const auto sum = at<S>(kOldSum), max = at<S>(kOldMax);
            const auto t = c.tiling<SoftMaxTiling>();
            if (form == Form::kRest)
              return AscendC::SimpleSoftMax<T, false, false, true>(d, sum, max, s, t, c.info());
            AscendC::SimpleSoftMax<T, false, false, true>(d, sum, max, s, temporary(bytes), t,
                                                          c.info());
          }))
          .image;
  expect_panels<T>(before, after, dst, c, 0, units<T>(24), [&](auto i, auto j) {
    return std::exp(at_element<T>(before, kSrc0, c.element(i, j)) - old_maximum(i)) / 2.5;
  });
}
TEST(AdvancedSoftmaxNz, SimpleSoftMax) {
  for (const Panels& c : kCases) {
    for (Form form : kForms) {
      check_simple<float, float>(c, form);
      check_simple<Half, Half>(c, form);
      check_simple<Half, float>(c, form);
    }
  }
}

template <typename T, typename S, bool kUpdate>
void check_flash(const Panels& c, Form form) {
  const Image before = image_of<T, S>(c, 83);
  const uint32_t dst = form == Form::kInPlace ? kSrc0 : kDst;
  const uint32_t bytes =
      AscendC::GetSoftMaxFlashV2MinTmpSize(ge::Shape({c.m, c.k}), sizeof(T), sizeof(S), kUpdate);
  const Image after = run(before, piped([&] {
                            const auto d = at<T>(dst), s = at<T>(kSrc0), e = at<T>(kExp);
                            const auto sum = at<S>(kSum), max = at<S>(kMax), old = at<S>(kOldSum),
                                       old_max = at<S>(kOldMax);
                            const auto t = c.tiling<SoftMaxTiling>();
                            if (form == Form::kRest)
                              return AscendC::SoftmaxFlashV2<T, kUpdate, false, false, true>(
                                  d, sum, max, s, e, old, old_max, t, c.info());
                            AscendC::SoftmaxFlashV2<T, kUpdate, false, false, true>(
                                d, sum, max, s, e, old, old_max, temporary(bytes), t, c.info());
                          }))
                          .image;
  std::vector<double> maxima;
  for (uint32_t i = 0; i < c.rows; ++i) {
    const Twin t = twin_of<T>(before, c, i);
    maxima.push_back(kUpdate ? std::max(old_maximum(i), t.maximum) : t.maximum);
    const double factor = std::exp(old_maximum(i) - maxima[i]);
    const double sum = (kUpdate ? factor * 2.5 : 0) + t.sum * std::exp(t.maximum - maxima[i]);
    expect_block<S>(after, kMax, i, maxima[i], 0);
    expect_block<S>(after, kSum, i, sum, units<S>(16));
    if (kUpdate) expect_block<T>(after, kExp, i, factor, units<T>(8));
  }
  expect_panels<T>(before, after, dst, c, 0, units<T>(24), [&](auto i, auto j) {
    return std::exp(at_element<T>(before, kSrc0, c.element(i, j)) - maxima[i]);
  });
}
TEST(AdvancedSoftmaxNz, SoftmaxFlashV2) {
  for (const Panels& c : kCases) {
    for (Form form : kForms) {
      check_flash<float, float, true>(c, form);
      check_flash<Half, Half, true>(c, form);
      check_flash<Half, float, true>(c, form);
      check_flash<float, float, false>(c, form);
      check_flash<Half, float, false>(c, form);
    }
  }
}

enum class Grad { kWhole, kFrontByArgument, kFrontByName };
template <typename T>
void check_grad(const Panels& c, Form form, Grad grad) {
  Image before = image_of<T, T>(c, 84);
  before.fill(kSrc1, spread<T>(c.m * c.k, 85, -1, 1));
  const uint32_t dst = form == Form::kInPlace && grad == Grad::kWhole ? kSrc0 : kDst;
  const uint32_t bytes =
      AscendC::GetSoftMaxGradMinTmpSize(ge::Shape({c.m, c.k}), sizeof(T), false, false);
  const Image after =
      run(before, piped([&] {
            const auto d = at<T>(dst), g = at<T>(kSrc1), s = at<T>(kSrc0);
            const auto tmp = temporary(bytes);
            const auto t = c.tiling<SoftMaxTiling>();
            const bool front = grad == Grad::kFrontByArgument;
            if (grad == Grad::kFrontByName && form == Form::kRest)
              return AscendC::SoftmaxGradFront<T, false, true>(d, g, s, t, c.info());
            if (grad == Grad::kFrontByName)
              return AscendC::SoftmaxGradFront<T, false, true>(d, g, s, tmp, t, c.info());
            if (form == Form::kRest)
              return AscendC::SoftmaxGrad<T, false, true>(d, g, s, t, front, c.info());
            AscendC::SoftmaxGrad<T, false, true>(d, g, s, tmp, t, front, c.info());
          }))
          .image;
  const auto x = [&](uint32_t i, uint32_t j) {
    return at_element<T>(before, kSrc0, c.element(i, j));
  };
  const auto dy = [&](uint32_t i, uint32_t j) {
    return at_element<T>(before, kSrc1, c.element(i, j));
  };
  std::vector<double> sums(c.rows), sizes(c.rows);
  for (uint32_t i = 0; i < c.rows; ++i) {
    for (uint32_t j = 0; j < c.length; ++j) {
      sums[i] += dy(i, j) * x(i, j);
      sizes[i] += std::fabs(dy(i, j) * x(i, j));
    }
    const bool front = grad != Grad::kWhole;
    for (uint32_t lane = 0; front && lane < 32 / sizeof(T); ++lane)
      ASSERT_LE(distance(after.get<T>(dst + i * 32 + lane * sizeof(T)), sums[i], sizes[i]), 4);
  }
  if (grad != Grad::kWhole) return;
  const double largest = 8 * (1 + *std::max_element(sizes.begin(), sizes.end()));
  expect_panels<T>(before, after, dst, c, largest, 4,
                   [&](auto i, auto j) { return (dy(i, j) - sums[i]) * x(i, j); });
}
TEST(AdvancedSoftmaxNz, Gradients) {
  for (const Panels& c : kCases) {
    for (Form form : kForms) {
      for (Grad grad : {Grad::kWhole, Grad::kFrontByArgument, Grad::kFrontByName}) {
        check_grad<float>(c, form, grad);
        check_grad<Half>(c, form, grad);
      }
    }
  }
}

// Without shape information the tiling's shape counts; a configured one counts for more.
constexpr AscendC::SoftmaxConfig kFixed{true, 9, 65, AscendC::SoftmaxMode::SOFTMAX_NORMAL};
TEST(AdvancedSoftmaxNz, ShapesOfTheTilingAndTheConfiguration) {
  const Panels whole{32, 32, 32, 32}, part{16, 80, 9, 65};
  for (const Panels& c : {whole, part}) {
    const Image before = image_of<float, float>(c, 86);
    const Image after =
        run(before, piped([&] {
              const auto d = at<float>(kDst), s = at<float>(kSrc0);
              const auto sum = at<float>(kSum), max = at<float>(kMax);
              const auto t = c.tiling<SoftMaxTiling>();
              if (c.rows == c.m)
                return AscendC::SoftMax<float, false, false, true>(d, sum, max, s, t);
              AscendC::SoftMax<float, false, false, true, kFixed>(d, sum, max, s, t);
            }))
            .image;
    expect_panels<float>(before, after, kDst, c, 0, 24, [&](auto i, auto j) {
      const Twin t = twin_of<float>(before, c, i);
      return std::exp(at_element<float>(before, kSrc0, c.element(i, j)) - t.maximum) / t.sum;
    });
  }
}

TEST(AdvancedSoftmaxNz, Refusals) {
  const auto fault = [](const Panels& c, uint32_t bytes) {
    const auto faults = faults_of(piped([&] {
      const auto f = at<float>(kSum);
      AscendC::SoftMax<float, false, false, true>(at<float>(kDst), f, f, at<float>(kSrc0),
                                                  temporary(bytes), c.tiling<SoftMaxTiling>());
    }));
    return faults.empty() ? std::string("none") : faults[0].code + " " + faults[0].message;
  };
  EXPECT_THAT(fault({16, 24, 16, 24}, 4096),
              ::testing::HasSubstr("EK1802 SoftMax: srcK of NZ data must be a multiple of 16 and "
                                   "not zero, but it is 24"));
  EXPECT_THAT(fault({8, 32, 8, 32}, 4096),
              ::testing::HasSubstr("EK1802 SoftMax: srcM of NZ data must be a multiple of 16 and "
                                   "not zero, but it is 8"));
  EXPECT_THAT(fault({16, 32, 16, 32}, 256),
              ::testing::HasSubstr("EK1801 SoftMax: needs 384 bytes of temporary buffer"));
}

}  // namespace
}  // namespace conformance
