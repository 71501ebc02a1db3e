// AscendQuant and AscendAntiQuant against twins that round where the pages say, bit by bit;
// AscendDequant against a twin in double: 1 unit for float (the int32 is rounded to float, too),
// 0.6 units for half, half a unit of bfloat16_t and a little for the product.
#include <gmock/gmock.h>

#include "opkit/include/ascendc/advanced_antiquant.h"
#include "tests/conformance/advanced.h"
#include "tiling/tiling_api.h"

namespace conformance {
namespace {

using AscendC::DequantParams;

using AscendC::DeQuantMode;
enum class Scales { kFloats, kBrains, kWords, kFloat, kBrain };

// T: the result; `scales`: their kind. single: a row that fills blocks is cut into rows of
// calCount.
template <typename T, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
void check_dequant(const DequantParams& p, bool single, bool shared, Scales scales) {
  Image before(22);
  const std::vector<float> scale = spread<float>(256, 1, 0.01f, 0.3f);
  std::vector<BFloat16> brain(256);
  std::vector<uint64_t> words(256);
  for (size_t i = 0; i < 256; ++i) {
    brain[i] = static_cast<BFloat16>(scale[i]);
    uint32_t bits;
    std::memcpy(&bits, &scale[i], sizeof bits);
    words[i] = uint64_t{0xabcd} << 32 | bits;
  }
  std::vector<int32_t> x(2048);
  std::mt19937 random(5);
  for (int32_t& v : x) v = static_cast<int32_t>(random() % 100000) - 50000;
  before.fill(kSrc0, x);
  before.fill(kSrc1, scale);
  before.fill(kSrc1 + 2048, brain);
  before.fill(kSrc2, words);
  const Image after = run(before, piped([&] {
                            const auto d = at<T>(kDst);
                            const auto s = at<int32_t>(kSrc0);
                            const auto k = at<float>(kSrc1);
                            const auto b = at<BFloat16>(kSrc1 + 2048);
                            const auto w = at<uint64_t>(kSrc2);
                            const auto t = temporary(1024);
                            const auto one = static_cast<BFloat16>(0.05f);
                            switch (scales) {
                              case Scales::kFloats:
                                if (shared)
                                  return AscendC::AscendDequant<T, float, mode>(d, s, k, t, p);
                                return AscendC::AscendDequant<T, float, mode>(d, s, k, p);
                              case Scales::kBrains:
                                if (shared)
                                  return AscendC::AscendDequant<T, BFloat16, mode>(d, s, b, t, p);
                                return AscendC::AscendDequant<T, BFloat16, mode>(d, s, b, p);
                              case Scales::kWords:
                                if (shared)
                                  return AscendC::AscendDequant<T, uint64_t, mode>(d, s, w, t, p);
                                return AscendC::AscendDequant<T, uint64_t, mode>(d, s, w, p);
                              case Scales::kFloat:
                                if (shared)
                                  return AscendC::AscendDequant<T, float, mode>(d, s, 0.05f, t, p);
                                return AscendC::AscendDequant<T, float, mode>(d, s, 0.05f, p);
                              default:
                                if (shared)
                                  return AscendC::AscendDequant<T, BFloat16, mode>(d, s, one, t, p);
                                return AscendC::AscendDequant<T, BFloat16, mode>(d, s, one, p);
                            }
                          }))
                          .image;
  const uint32_t rows = single ? p.n / p.calCount : p.m, width = single ? p.calCount : p.n;
  const uint32_t block = 32 / sizeof(T), pitch = (width + block - 1) / block * block;
  for (uint32_t i = 0; i < rows; ++i) {
    for (uint32_t j = 0; j < p.calCount; ++j) {
      const double factor = scales == Scales::kBrains  ? static_cast<float>(brain[j])
                            : scales == Scales::kFloat ? 0.05f
                            : scales == Scales::kBrain
                                ? static_cast<float>(static_cast<BFloat16>(0.05f))
                                : scale[j];
      const double y = x[i * width + j] * factor;
      const T got = after.get<T>((i * pitch + j) * sizeof(T));
      if constexpr (std::is_same_v<T, BFloat16>) {
        ASSERT_LE(std::fabs(static_cast<float>(got) - y), std::fabs(y) / 256 + 1e-30);
      } else {
        ASSERT_LE(distance(got, y, 0), sizeof(T) == 4 ? 1 : 0.6) << i << "," << j;
      }
    }
  }
}
TEST(AdvancedQuant, Dequant) {
  for (bool shared : {true, false}) {
    for (Scales s : {Scales::kFloats, Scales::kBrains, Scales::kFloat, Scales::kBrain}) {
      check_dequant<float>({3, 72, 65}, false, shared, s);
      check_dequant<BFloat16>({3, 72, 65}, false, shared, s);
      check_dequant<float>({1, 96, 24}, true, shared, s);
      check_dequant<BFloat16>({1, 96, 32}, true, shared, s);
      check_dequant<BFloat16>({1, 96, 24}, false, shared, s);  // 24 do not fill blocks
      check_dequant<float, DeQuantMode::DEQUANT_WITH_MULTI_ROW>({1, 96, 24}, false, shared, s);
    }
    check_dequant<Half>({3, 72, 65}, false, shared, Scales::kWords);
    check_dequant<Half>({1, 96, 32}, true, shared, Scales::kWords);
    check_dequant<Half>({2, 128, 128}, false, shared, Scales::kFloats);
  }
}
// The forms without parameters take the scales' size for the length of a row.
TEST(AdvancedQuant, DequantWithoutParameters) {
  Image before(23);
  std::vector<int32_t> x(64);
  for (int32_t i = 0; i < 64; ++i) x[static_cast<size_t>(i)] = i - 30;
  before.fill(kSrc0, x);
  before.fill(kSrc1, std::vector<float>(16, 0.5f));
  for (int form = 0; form < 4; ++form) {
    const Image after = run(before, piped([&] {
                              const auto d = at<float>(kDst), k = at<float>(kSrc1, 64);
                              const auto s = at<int32_t>(kSrc0, 256);
                              switch (form) {
                                case 0: return AscendC::AscendDequant(d, s, k);
                                case 1: return AscendC::AscendDequant(d, s, k, temporary(512));
                                case 2: return AscendC::AscendDequant(d, s, k, 64u);
                                default:
                                  return AscendC::AscendDequant(d, s, k, temporary(512), 64u);
                              }
                            }))
                            .image;
    for (uint32_t i = 0; i < 64; ++i)
      ASSERT_EQ(after.get<float>(i * 4), static_cast<float>(x[i]) * 0.5f) << form;
  }
}

// One rounding of half per step.
Half quantised(Half x, Half scale, Half offset) {
  const Half product(static_cast<float>(x) * static_cast<float>(scale));
  return Half(static_cast<float>(product) + static_cast<float>(offset));
}
int8_t saturated(Half h) {
  return static_cast<int8_t>(std::clamp(std::nearbyint(static_cast<float>(h)), -128.0f, 127.0f));
}
template <typename T>
Half as_half(T v) {
  return Half(static_cast<float>(v));
}
template <typename T>
struct QuantInputs {
  QuantInputs(uint32_t count, uint32_t width)
      : x(spread<T>(count, 1, -60, 60)),
        scale(spread<T>(width, 2, -3, 3)),
        offset(spread<T>(width, 3, -9, 9)),
        image(24) {
    image.fill(kSrc0, x);
    image.fill(kSrc1, scale);
    image.fill(kSrc1 + 4096, offset);
    uint32_t max = 0;
    AscendC::GetAscendQuantMaxMinTmpSize(ge::Shape({count}), sizeof(T), max, room);
  }
  std::vector<T> x, scale, offset;
  Image image;
  uint32_t room = 0;  // the least temporary buffer, bytes
};
enum class Channels { kNone, kScalarOffset, kOffsets };
template <typename T>
void check_quant(uint32_t rows, uint32_t width, Channels channels, bool shared, bool whole) {
  const uint32_t count = rows * width;
  const QuantInputs<T> in(count, width);
  const std::vector<T>&x = in.x, &scale = in.scale, &offset = in.offset;
  const Image& before = in.image;
  const uint32_t min = in.room;
  const T b = static_cast<T>(0.9f);
  const Image after = run(before, piped([&] {
                            const auto d = at<int8_t>(kDst);
                            const auto s = at<T>(kSrc0, count * sizeof(T));
                            const auto k = at<T>(kSrc1, width * sizeof(T)),
                                       o = at<T>(kSrc1 + 4096, width * sizeof(T));
                            const auto t = temporary(min);
                            if (channels == Channels::kNone) {
                              if (shared && whole) return AscendC::AscendQuant(d, s, t, 2.0f, 0.9f);
                              if (shared)
                                return AscendC::AscendQuant<T>(d, s, t, 2.0f, 0.9f, count);
                              if (whole) return AscendC::AscendQuant(d, s, 2.0f, 0.9f);
                              return AscendC::AscendQuant<T, false>(d, s, 2.0f, 0.9f, count);
                            }
                            if (channels == Channels::kScalarOffset) {
                              if (shared && whole) return AscendC::AscendQuant(d, s, t, k, b);
                              if (shared) return AscendC::AscendQuant(d, s, t, k, b, width, count);
                              if (whole) return AscendC::AscendQuant(d, s, k, b);
                              return AscendC::AscendQuant(d, s, k, b, width, count);
                            }
                            if (shared && whole) return AscendC::AscendQuant(d, s, t, k, o);
                            if (shared)
                              return AscendC::AscendQuant(d, s, t, k, o, width, width, count);
                            if (whole) return AscendC::AscendQuant(d, s, k, o);
                            AscendC::AscendQuant(d, s, k, o, width, width, count);
                          }))
                          .image;
  for (uint32_t i = 0; i < count; ++i) {
    const Half k = channels == Channels::kNone ? Half(2.0f) : as_half(scale[i % width]);
    const Half o = channels == Channels::kOffsets ? as_half(offset[i % width]) : Half(0.9f);
    ASSERT_EQ(after.get<int8_t>(i), saturated(quantised(as_half(x[i]), k, o)))
        << rows << "x" << width << " at " << i;
  }
  ASSERT_TRUE(untouched(before, after, count));
}
TEST(AdvancedQuant, Quant) {
  for (bool shared : {true, false}) {
    for (bool whole : {true, false}) {
      for (Channels c : {Channels::kNone, Channels::kScalarOffset, Channels::kOffsets}) {
        for (const auto& [rows, width] :
             {std::pair{1u, 32u}, std::pair{3u, 64u}, std::pair{2u, 96u}, std::pair{1u, 1024u}}) {
          check_quant<float>(rows, width, c, shared, whole);
          check_quant<Half>(rows, width, c, shared, whole);
        }
      }
    }
  }
}

// The destination on the source, in more pieces than one: page "AscendQuant", constraints.
template <typename T>
void check_quant_in_place(uint32_t rows, uint32_t width, bool offsets) {
  const uint32_t count = rows * width;
  const QuantInputs<T> in(count, width);
  const T b = static_cast<T>(0.9f);
  const Image after = run(in.image, piped([&] {
                            const auto d = at<int8_t>(kSrc0);
                            const auto s = at<T>(kSrc0), k = at<T>(kSrc1), o = at<T>(kSrc1 + 4096);
                            const auto t = temporary(in.room);
                            if (offsets)
                              return AscendC::AscendQuant(d, s, t, k, o, width, width, count);
                            AscendC::AscendQuant(d, s, t, k, b, width, count);
                          }))
                          .image;
  for (uint32_t i = 0; i < count; ++i) {
    const Half o = offsets ? as_half(in.offset[i % width]) : Half(0.9f);
    ASSERT_EQ(after.get<int8_t>(kSrc0 + i),
              saturated(quantised(as_half(in.x[i]), as_half(in.scale[i % width]), o)))
        << rows << "x" << width << " at " << i;
  }
}
TEST(AdvancedQuant, QuantInPlace) {
  for (bool offsets : {true, false}) {
    check_quant_in_place<float>(3, 256, offsets);
    check_quant_in_place<Half>(3, 256, offsets);
    check_quant_in_place<Half>(2, 416, offsets);
  }
}

// N columns, groups of scales along k; transposed: the source is N x K.
template <typename S, typename D, bool isTranspose>
void check_antiquant(uint32_t n, uint32_t k, uint32_t groups, bool with_offset, bool shared,
                     bool by_info) {
  constexpr bool kNibbles = !std::is_same_v<S, int8_t>;
  const uint32_t count = n * k, scales = n * groups;
  std::vector<int8_t> x(count);
  std::mt19937 random(8);
  for (int8_t& v : x)
    v = static_cast<int8_t>(kNibbles ? static_cast<int>(random() % 16) - 8
                                     : static_cast<int>(random() % 256) - 128);
  std::vector<D> scale(scales), offset(scales);
  for (uint32_t i = 0; i < scales; ++i) {
    scale[i] = static_cast<D>(std::uniform_real_distribution<float>(-3, 3)(random));
    offset[i] = static_cast<D>(std::uniform_real_distribution<float>(-9, 9)(random));
  }
  Image before(25);
  if constexpr (kNibbles) {
    std::vector<uint8_t> packed(count / 2);
    for (uint32_t i = 0; i < count; ++i)
      packed[i / 2] = static_cast<uint8_t>(packed[i / 2] | (x[i] & 15) << (i % 2 * 4));
    before.fill(kSrc0, packed);
  } else {
    before.fill(kSrc0, x);
  }
  before.fill(kSrc1, scale);
  before.fill(kSrc2, offset);
  uint32_t max = 0, min = 0;
  AscendC::GetAscendAntiQuantMaxMinTmpSize(isTranspose ? ge::Shape({n, k}) : ge::Shape({k, n}),
                                           ge::Shape({groups, n}), isTranspose, ge::DT_INT8,
                                           ge::DT_FLOAT16, max, min);
  const uint32_t height = isTranspose ? n : groups, width = isTranspose ? groups : n;
  const Image after =
      run(before, piped([&] {
            const auto d = at<D>(kDst);
            const auto s = at<S>(kSrc0, kNibbles ? count / 2 : count);
            auto w = at<D>(kSrc1), o = at<D>(kSrc2);
            AscendC::AntiQuantShapeInfo info{height, width, height, width};
            if (!by_info) {
              const uint32_t dims[2] = {height, width};
              w.SetShapeInfo(AscendC::ShapeInfo(2, dims));
              o.SetShapeInfo(AscendC::ShapeInfo(2, dims));
              info = {};
            }
            const auto t = temporary(min);
            if (!with_offset)
              return AscendC::AscendAntiQuant<S, D, isTranspose>(d, s, w, t, k, info);
            if (shared) return AscendC::AscendAntiQuant<S, D, isTranspose>(d, s, o, w, t, k, info);
            AscendC::AscendAntiQuant<S, D, isTranspose>(d, s, o, w, k, info);
          }))
          .image;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t size = k / groups;
    const uint32_t at_scale =
        isTranspose ? i / k * groups + i % k / size : i / n / size * n + i % n;
    const float w = static_cast<float>(scale[at_scale]);
    const float o = with_offset ? static_cast<float>(offset[at_scale]) : 0.0f;
    const float sum = static_cast<float>(x[i]) + o;
    const float y = (std::is_same_v<D, Half> ? static_cast<float>(Half(sum)) : sum) * w;
    ASSERT_EQ(static_cast<float>(after.get<D>(i * sizeof(D))), static_cast<float>(D(y)))
        << n << "x" << k << "/" << groups << " at " << i;
  }
}
template <typename S, typename D>
void check_antiquants() {
  for (bool offset : {true, false}) {
    for (bool shared : {true, false}) {
      check_antiquant<S, D, false>(64, 8, 1, offset, shared, true);
      check_antiquant<S, D, false>(128, 12, 3, offset, shared, false);
      check_antiquant<S, D, true>(4, 64, 1, offset, shared, true);
      check_antiquant<S, D, true>(5, 128, 4, offset, shared, false);
    }
  }
}
TEST(AdvancedQuant, AntiQuantOfChannels) {
  check_antiquants<int8_t, Half>();
  check_antiquants<int8_t, BFloat16>();
  check_antiquants<int4b_t, Half>();
  check_antiquants<int4b_t, BFloat16>();
}
template <typename D>
void check_antiquant_tensor(uint32_t count, bool with_offset, bool shared) {
  std::vector<int8_t> x(count);
  for (uint32_t i = 0; i < count; ++i) x[i] = static_cast<int8_t>(i * 37);
  Image before(26);
  before.fill(kSrc0, x);
  const D scale = static_cast<D>(0.37f), offset = static_cast<D>(-3.3f);
  const Image after =
      run(before, piped([&] {
            const auto d = at<D>(kDst);
            const auto s = at<int8_t>(kSrc0, count);
            const auto t = temporary(512);
            if (!with_offset) return AscendC::AscendAntiQuant<int8_t, D, false>(d, s, scale, t, 32);
            if (shared)
              return AscendC::AscendAntiQuant<int8_t, D, false>(d, s, offset, scale, t, 32);
            AscendC::AscendAntiQuant<int8_t, D, false>(d, s, offset, scale, 32);
          }))
          .image;
  for (uint32_t i = 0; i < count; ++i) {
    const float sum = static_cast<float>(x[i]) + (with_offset ? static_cast<float>(offset) : 0.0f);
    const float y =
        (sizeof(D) == 2 && std::is_same_v<D, Half> ? static_cast<float>(Half(sum)) : sum) *
        static_cast<float>(scale);
    ASSERT_EQ(static_cast<float>(after.get<D>(i * 2)), static_cast<float>(D(y))) << i;
  }
  ASSERT_TRUE(untouched(before, after, count * 2));
}
TEST(AdvancedQuant, AntiQuantOfTheTensor) {
  for (uint32_t n : {32u, 64u, 96u, 1024u}) {
    for (bool shared : {true, false}) {
      check_antiquant_tensor<Half>(n, true, shared);
      check_antiquant_tensor<BFloat16>(n, true, shared);
    }
    check_antiquant_tensor<Half>(n, false, true);
    check_antiquant_tensor<BFloat16>(n, false, true);
  }
}
TEST(AdvancedQuant, Refusals) {
  const auto faults = faults_of(piped([] {
    AscendC::AscendDequant(at<float>(kDst), at<int32_t>(kSrc0), 0.5f, DequantParams{2, 8, 9});
  }));
  ASSERT_FALSE(faults.empty());
  EXPECT_EQ(faults[0].code, "EK1802");
  EXPECT_THAT(faults[0].message, ::testing::HasSubstr("calCount must be from 1 to n, but it is 9"));
  const auto fault = [](auto body) {
    const auto faults = faults_of(piped(body));
    return faults.empty() ? std::string("none") : faults[0].code + " " + faults[0].message;
  };
  EXPECT_THAT(fault([] {
                const auto s = at<Half>(kSrc0);
                AscendC::AscendQuant(at<int8_t>(kDst), s, s, s, 33, 33, 66);
              }),
              ::testing::HasSubstr("EK1802 AscendQuant: scaleCount must be a multiple of 32"));
  EXPECT_THAT(fault([] {
                AscendC::AscendQuant(at<int8_t>(kDst), at<Half>(kSrc0), temporary(64), 1.0f, 0.0f,
                                     64);
              }),
              ::testing::HasSubstr("EK1801 AscendQuant: needs 128 bytes"));
  EXPECT_THAT(fault([] {
                const auto s = at<Half>(kSrc1);
                AscendC::AscendAntiQuant<int8_t, Half, false>(at<Half>(kDst), at<int8_t>(kSrc0), s,
                                                              s, 8);
              }),
              ::testing::HasSubstr("EK1802 AscendAntiQuant: scale needs a shape"));
}

}  // namespace
}  // namespace conformance
