// Pad, UnPad, Transpose (ConfusionTranspose) and CumSum against plain loops. Layouts are exact, bit
// by bit; sums are within 4 units of the sum of magnitudes (float) or rounded once from it (half).
#include <gmock/gmock.h>

#include "opkit/include/ascendc/advanced_cumsum.h"
#include "opkit/include/ascendc/advanced_pad.h"
#include "opkit/include/ascendc/advanced_transpose.h"
#include "tests/conformance/advanced.h"
#include "tiling/tiling_api.h"

namespace conformance {
namespace {

template <typename T>
std::vector<T> numbers(size_t n) {
  std::vector<T> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = static_cast<T>(static_cast<float>(i % 2000));
  return v;
}
template <typename T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}
std::string fault(std::function<void()> body) {
  const auto faults = faults_of(piped(std::move(body)));
  return faults.empty() ? std::string("none") : faults[0].code + " " + faults[0].message;
}

struct Sides {
  uint32_t rows, width, original;
  uint16_t left, right;
};
template <typename T>
void check_pad(const Sides& c, bool shared) {
  constexpr uint32_t kBlock = 32 / sizeof(T);
  const uint32_t pitch = (c.width + kBlock - 1) / kBlock * kBlock;
  const auto x = numbers<T>(c.rows * c.width);
  Image before(41);
  before.fill(kSrc0, x);
  PadTiling tiling;
  const ge::Shape shape({c.rows, c.width}), original({c.rows, c.original});
  uint32_t max = 0, min = 0;
  AscendC::GetPadMaxMinTmpSize(shape, sizeof(T), max, min);
  AscendC::PadTilingFunc(shape, original, min, sizeof(T), tiling);
  const Image after = run(before, piped([&] {
                            AscendC::PadParams p{c.left, c.right, 321};
                            PadTiling t = tiling;
                            const auto d = at<T>(kDst), s = at<T>(kSrc0);
                            if (shared) return AscendC::Pad(d, s, p, temporary(min), t);
                            AscendC::Pad(d, s, p, t);
                          }))
                          .image;
  for (uint32_t i = 0; i < c.rows; ++i) {
    for (uint32_t j = 0; j < c.left + c.original + c.right; ++j) {
      const bool inside = j >= c.left && j < c.left + c.original;
      const T expected =
          inside ? x[i * c.width + j - c.left] : static_cast<T>(static_cast<float>(321));
      ASSERT_TRUE(same_bits(after.get<T>((i * pitch + j) * sizeof(T)), expected))
          << c.rows << "x" << c.width << " at " << i << "," << j;
    }
  }
  ASSERT_TRUE(untouched(before, after, c.rows * pitch * sizeof(T)));
}
template <typename T>
void check_pads() {
  constexpr uint16_t kBlock = 32 / sizeof(T);
  for (bool shared : {true, false}) {
    for (uint32_t rows : {1u, 3u, 17u}) {
      check_pad<T>({rows, kBlock - 1u, kBlock - 1u, 0, 1}, shared);
      check_pad<T>({rows, kBlock + 2u, kBlock + 2u, 3, static_cast<uint16_t>(kBlock - 6)}, shared);
      check_pad<T>({rows, 5u * kBlock - 3u, 5u * kBlock - 3u, 1, 2}, shared);
      check_pad<T>({rows, 2u * kBlock, 2u * kBlock - 2u, 0, 2}, shared);
    }
  }
}
TEST(AdvancedLayout, Pad) {
  check_pads<float>();
  check_pads<Half>();
  check_pads<int16_t>();
  check_pads<uint16_t>();
  check_pads<int32_t>();
  check_pads<uint32_t>();
  EXPECT_THAT(fault([] {
                AscendC::PadParams p{4, 5, 0};
                PadTiling t;
                t.srcHeight = 1;
                t.srcWidth = t.srcOriWidth = 15;
                AscendC::Pad(at<Half>(kDst), at<Half>(kSrc0), p, t);
              }),
              ::testing::HasSubstr("EK1802 Pad: the padded width must fit"));
}

template <typename T>
void check_unpad(uint32_t rows, uint32_t width, uint16_t right, bool shared) {
  const auto x = numbers<T>(rows * width);
  Image before(42);
  before.fill(kSrc0, x);
  UnPadTiling tiling;
  tiling.srcHeight = rows;
  tiling.srcWidth = width;
  const Image after = run(before, piped([&] {
                            AscendC::UnPadParams p{0, right};
                            UnPadTiling t = tiling;
                            auto tmp = temporary(768);
                            const auto d = at<T>(kDst), s = at<T>(kSrc0);
                            if (shared) return AscendC::UnPad(d, s, p, tmp, t);
                            AscendC::UnPad(d, s, p, t);
                          }))
                          .image;
  const uint32_t columns = width - right;
  for (uint32_t i = 0; i < rows * columns; ++i)
    ASSERT_TRUE(same_bits(after.get<T>(i * sizeof(T)), x[i / columns * width + i % columns])) << i;
  ASSERT_TRUE(untouched(before, after, rows * columns * sizeof(T)));
}
TEST(AdvancedLayout, UnPad) {
  for (bool shared : {true, false}) {
    for (uint32_t rows : {1u, 3u, 31u}) {
      check_unpad<float>(rows, 8, 7, shared);
      check_unpad<float>(rows, 64, 1, shared);
      check_unpad<Half>(rows, 16, 1, shared);
      check_unpad<int16_t>(rows, 96, 15, shared);
      check_unpad<uint32_t>(rows, 24, 3, shared);
    }
  }
  EXPECT_THAT(fault([] {
                AscendC::UnPadParams p{0, 16};
                UnPadTiling t;
                t.srcHeight = 1;
                t.srcWidth = 32;
                AscendC::UnPad(at<Half>(kDst), at<Half>(kSrc0), p, t);
              }),
              ::testing::HasSubstr("EK1802 UnPad: rightPad must be"));
}

using AscendC::TransposeType;
// Element (row, column) of an NZ matrix of `rows` rows.
uint32_t nz(uint32_t rows, uint32_t row, uint32_t column) {
  return column / 16 * rows * 16 + row * 16 + column % 16;
}
struct Bnsh {
  uint32_t b, n, s, hn;
};
// f(source element, destination element) for every element of the scene.
template <typename F>
void each_element(TransposeType type, const Bnsh& x, F&& f) {
  const uint32_t hp = (x.hn + 15) / 16 * 16, h = x.n * x.hn, np = (x.n + 15) / 16 * 16;
  for (uint32_t b = 0; b < x.b; ++b) {
    for (uint32_t n = 0; n < x.n; ++n) {
      for (uint32_t s = 0; s < x.s; ++s) {
        for (uint32_t j = 0; j < x.hn; ++j) {
          const uint32_t split = (b * x.n + n) * hp * x.s + nz(x.s, s, j);
          const uint32_t merged = b * h * x.s + nz(x.s, s, n * x.hn + j);
          switch (type) {
            case TransposeType::TRANSPOSE_NZ2ND_0213:
              f(split, ((b * x.s + s) * x.n + n) * hp + j);
              break;
            case TransposeType::TRANSPOSE_NZ2NZ_0213:
              f(split, (b * x.s + s) * np * hp + nz(np, n, j));
              break;
            case TransposeType::TRANSPOSE_NZ2NZ_012_WITH_N: f(merged, split); break;
            case TransposeType::TRANSPOSE_NZ2ND_012_WITH_N:
              f(merged, ((b * x.n + n) * x.s + s) * hp + j);
              break;
            case TransposeType::TRANSPOSE_NZ2ND_012_WITHOUT_N:
              f(split, (b * x.s + s) * h + n * x.hn + j);
              break;
            default: f(split, merged);
          }
        }
      }
    }
  }
}
template <typename T>
void check_confusion(TransposeType type, const Bnsh& x, bool shared) {
  const auto source = numbers<T>(8192 / sizeof(T));
  Image before(43);
  before.fill(kSrc2, source);
  const ge::Shape shape({x.b, x.n, x.s, x.hn});
  uint32_t max = 0, min = 0;
  AscendC::GetTransposeMaxMinTmpSize(shape, sizeof(T), static_cast<uint32_t>(type), max, min);
  ConfusionTransposeTiling tiling;
  AscendC::GetTransposeTilingInfo(shape, min, sizeof(T), static_cast<uint32_t>(type), tiling);
  const Image after = run(before, piped([&] {
                            ConfusionTransposeTiling t = tiling;
                            const auto d = at<T>(kDst, kSrc2), s = at<T>(kSrc2);
                            if (shared)
                              return AscendC::ConfusionTranspose(d, s, temporary(min), type, t);
                            AscendC::Transpose(d, s, type, t);
                          }))
                          .image;
  each_element(type, x, [&](uint32_t from, uint32_t to) {
    ASSERT_TRUE(same_bits(after.get<T>(to * sizeof(T)), source.at(from)))
        << static_cast<int>(type) << ": " << from << " to " << to;
  });
}
template <typename T>
void check_confusions(std::initializer_list<Bnsh> shapes) {
  for (const Bnsh& x : shapes) {
    for (int type = 1; type <= 6; ++type) {
      for (bool shared : {true, false})
        check_confusion<T>(static_cast<TransposeType>(type), x, shared);
    }
  }
}
TEST(AdvancedLayout, TransposeScenes1To6) {
  check_confusions<Half>({{1, 2, 16, 16},
                          {2, 3, 16, 16},
                          {1, 2, 16, 32},
                          {1, 4, 16, 8},
                          {1, 2, 16, 40},
                          {1, 2, 16, 24}});
  check_confusions<float>({{1, 2, 16, 16}, {1, 4, 16, 8}, {1, 3, 16, 16}});
  EXPECT_THAT(fault([] {
                ConfusionTransposeTiling t;
                t.param0 = t.param1 = 1;
                t.param2 = 15;
                t.param3 = 16;
                AscendC::Transpose(at<Half>(kDst), at<Half>(kSrc0),
                                   TransposeType::TRANSPOSE_NZ2ND_0213, t);
              }),
              ::testing::HasSubstr("S a multiple of 16, but it is 15"));
  EXPECT_THAT(fault([] {
                ConfusionTransposeTiling t;
                AscendC::Transpose(at<Half>(kDst), at<Half>(kSrc0),
                                   TransposeType::TRANSPOSE_NCHW2NHWC, t);
              }),
              ::testing::HasSubstr("must be one of the scenes 1 to 7"));
}
template <typename T>
void check_plain_transpose(uint32_t h, uint32_t w) {
  const auto source = numbers<T>(h * w);
  Image before(44);
  before.fill(kSrc0, source);
  ConfusionTransposeTiling tiling;
  AscendC::GetConfusionTransposeOnlyTilingInfo(ge::Shape({h, w}), 768, sizeof(T), tiling);
  const Image after = run(before, piped([&] {
                            ConfusionTransposeTiling t = tiling;
                            AscendC::Transpose(at<T>(kDst), at<T>(kSrc0), temporary(768),
                                               TransposeType::TRANSPOSE_ND2ND_ONLY, t);
                          }))
                          .image;
  for (uint32_t i = 0; i < h; ++i) {
    for (uint32_t j = 0; j < w; ++j)
      ASSERT_TRUE(same_bits(after.get<T>((j * h + i) * sizeof(T)), source[i * w + j]));
  }
  ASSERT_TRUE(untouched(before, after, h * w * sizeof(T)));
}
TEST(AdvancedLayout, TransposeScene7) {
  for (const auto& [h, w] : {std::pair{16u, 16u}, std::pair{16u, 80u}, std::pair{48u, 32u}}) {
    check_plain_transpose<Half>(h, w);
    check_plain_transpose<float>(h, w);
    check_plain_transpose<int32_t>(h, w);
    check_plain_transpose<uint16_t>(h, w);
  }
}

constexpr AscendC::CumSumConfig kAlong{true, false, false}, kDown{false, false, true};
template <typename T, const AscendC::CumSumConfig& config>
void check_cumsum(uint32_t rows, uint32_t columns, bool shared) {
  const auto x = spread<T>(rows * columns, 9, -5, 6);
  Image before(45);
  before.fill(kSrc0, x);
  uint32_t max = 0, min = 0;
  AscendC::GetCumSumMaxMinTmpSize(ge::Shape({rows, columns}), sizeof(T), config.isLastAxis, false,
                                  max, min);
  const Image after = run(before, piped([&] {
                            auto d = at<T>(kDst), last = at<T>(kSrc2), s = at<T>(kSrc0);
                            auto tmp = temporary(min);
                            const AscendC::CumSumInfo info{rows, columns};
                            if (shared) return AscendC::CumSum<T, config>(d, last, s, tmp, info);
                            AscendC::CumSum<T, config>(d, last, s, info);
                          }))
                          .image;
  const auto element = [&](uint32_t i, uint32_t j) {
    return double{static_cast<float>(x[i * columns + j])};
  };
  for (uint32_t i = 0; i < rows; ++i) {
    for (uint32_t j = 0; j < columns; ++j) {
      double sum = 0, size = 0;
      for (uint32_t k = 0; k <= (config.isLastAxis ? j : i); ++k) {
        const double v = config.isLastAxis ? element(i, k) : element(k, j);
        sum += v;
        size += std::fabs(v);
      }
      const T got = after.get<T>((i * columns + j) * sizeof(T));
      ASSERT_LE(distance(got, sum, sizeof(T) == 4 ? size : std::max(1.0, size / 8)), 4)
          << rows << "x" << columns << " at " << i << "," << j;
      if (config.outputLastRow && i + 1 == rows) {
        ASSERT_TRUE(same_bits(after.get<T>(kSrc2 + j * sizeof(T)), got));
      }
    }
  }
}
TEST(AdvancedLayout, CumSum) {
  for (bool shared : {true, false}) {
    for (const auto& [rows, columns] : {std::pair{1u, 16u}, std::pair{7u, 64u}, std::pair{8u, 80u},
                                        std::pair{9u, 16u}, std::pair{3u, 624u}}) {
      check_cumsum<float, kAlong>(rows, columns, shared);
      check_cumsum<Half, kAlong>(rows, columns, shared);
      check_cumsum<float, kDown>(rows, columns, shared);
      check_cumsum<Half, kDown>(rows, columns, shared);
    }
  }
  EXPECT_THAT(fault([] {
                auto d = at<float>(kDst), s = at<float>(kSrc0);
                AscendC::CumSum<float>(d, d, s, AscendC::CumSumInfo{2, 9});
              }),
              ::testing::HasSubstr("EK1802 CumSum: the bytes of a row"));
  EXPECT_THAT(fault([] {
                auto s = at<float>(kSrc0);
                AscendC::CumSum<float>(s, s, s, AscendC::CumSumInfo{2, 8});
              }),
              ::testing::HasSubstr("EK1803 CumSum: source and destination overlap"));
}

}  // namespace
}  // namespace conformance
