// Cast: every pair of types and round mode of the vendor's table, against twin/rounding.h.
#include "tests/conformance/elementwise.h"
#include "tests/conformance/twin/rounding.h"

namespace conformance {
namespace {

using AscendC::Cast;
using AscendC::RoundMode;

// Values where rounding matters: halves, neighbours of powers of two, limits, subnormals.
template <typename U>
std::vector<U> edges() {
  std::vector<U> v = values<U>(512, 77);
  if constexpr (std::is_integral_v<U>) {
    for (int64_t base : {int64_t{0}, int64_t{2048}, int64_t{2049}, int64_t{4098}, int64_t{32767},
                         int64_t{65535}, int64_t{16777217}, int64_t{16777219}, int64_t{33554434},
                         int64_t{33554438}, int64_t{2147483647}, int64_t{2147483583},
                         int64_t{9007199254740993}, int64_t{9223372036854775807}}) {
      for (int64_t d : {-3, -1, 0, 1}) {
        const uint64_t up = static_cast<uint64_t>(base) + static_cast<uint64_t>(d);
        v.push_back(static_cast<U>(up));
        v.push_back(static_cast<U>(0 - up));
      }
    }
  } else {
    for (float x :
         {0.5f,          1.5f,           2.5f,           0.49999997f, 126.5f,        127.5f,
          128.5f,        255.5f,         256.0f,         -128.5f,     -129.0f,       7.5f,
          8.5f,          -8.5f,          32767.5f,       32768.0f,    -32769.0f,     2147483520.0f,
          2147483648.0f, -2147483648.0f, -2147483904.0f, 9.3e18f,     -9.3e18f,      65504.0f,
          65519.0f,      65520.0f,       65536.0f,       1e30f,       5.9604645e-8f, 2.9802322e-8f,
          2.98e-8f,      8.9e-8f,        6.1e-5f,        6.0976e-5f,  1.0009766f,    1.0004883f,
          1.0014648f,    1.0003f,        3.3895e38f,     3.4e38f,     1e-45f,        1.00390625f,
          1.01171875f,   1.0040f,        2049.0f,        2051.0f}) {
      v.push_back(static_cast<U>(x));
      v.push_back(static_cast<U>(-x));
    }
  }
  return v;
}

template <typename T>
T converted(long double x, twin::Mode mode, bool keep, bool wrap) {
  if constexpr (std::is_integral_v<T>) {
    return twin::to_integer<T>(x, mode, wrap);
  } else {
    const twin::Format& f = std::is_same_v<T, Half>       ? twin::kHalf
                            : std::is_same_v<T, BFloat16> ? twin::kBFloat
                                                          : twin::kFloat;
    long double y = twin::to_format(x, mode, f);
    if (!keep && !std::is_same_v<T, float>) {
      if (y != y) y = 0;
      if (std::isinf(y)) y = std::copysign(f.largest, y);
    }
    return static_cast<T>(static_cast<float>(y));
  }
}

// Cast float -> float rounds to a whole number.
template <typename T, typename U>
T expected_value(U value, twin::Mode mode, bool keep, bool wrap) {
  const auto x = static_cast<long double>(
      static_cast<std::conditional_t<std::is_integral_v<U>, U, float>>(value));
  if constexpr (std::is_same_v<T, float> && std::is_same_v<U, float>) {
    if (x != x || std::isinf(x)) return value;
    return static_cast<float>(std::copysign(twin::to_whole(x, mode), x));
  } else {
    return converted<T>(x, mode, keep, wrap);
  }
}

template <typename T, typename U>
void check_cast(std::initializer_list<twin::Mode> modes, bool narrows_real = false) {
  Image before(55);
  const std::vector<U> source = edges<U>();
  before.fill(kSrc0, source);
  const auto n = static_cast<uint32_t>(source.size());
  for (twin::Mode mode : modes) {
    for (bool keep : {true, false}) {
      for (bool wrap : {false, true}) {
        if ((!keep && !narrows_real) || (wrap && !std::is_integral_v<T>)) continue;
        for (uint32_t count : {0u, 1u, 3u, 17u, 64u, 129u, n}) {
          for (uint32_t dst : {kDst, kSrc0}) {  // works in place where the types have one size
            if (dst == kSrc0 && sizeof(T) != sizeof(U)) continue;
            Image expected = before;
            for (uint32_t i = 0; i < count; ++i)
              expected.set(dst + i * sizeof(T), expected_value<T>(source[i], mode, keep, wrap));
            const Outcome o =
                run(before,
                    [&] {
                      AscendC::SetSaturationFlag<AscendC::SaturationMode::CAST>(!wrap);
                      Cast(at<T>(dst), at<U>(kSrc0), static_cast<RoundMode>(mode), count);
                    },
                    {keep});
            ASSERT_TRUE(same<T>(o.image, expected))
                << "mode " << mode << " count " << count << " keep " << keep << " wrap " << wrap;
          }
        }
      }
    }
  }
}

// Iterations: as many elements as the wider type has; strides count each operand's own blocks.
template <typename T, typename U>
void check_repeats(twin::Mode mode) {
  Image before(56);
  before.fill(kSrc0, edges<U>());
  constexpr uint32_t kWidest = sizeof(T) > sizeof(U) ? sizeof(T) : sizeof(U);
  constexpr uint32_t kElements = 256 / kWidest;
  const twin::Stride packed_dst{1, kElements * sizeof(T) / 32},
      packed_src{1, kElements * sizeof(U) / 32};
  const uint64_t odd = 0xaaaaaaaaaaaaaaaau;
  for (const Form& form : {twin::prefix_form(kElements, 3, packed_dst, packed_src),
                           twin::prefix_form(kElements - 5, 2, packed_dst, packed_src),
                           twin::prefix_form(kElements, 2, {2, 17}, {1, 0}),
                           twin::prefix_form(32 / kWidest, 255, {1, 1}, {1, 1}),
                           twin::bits_form(odd, odd, 3, {1, 10}, packed_src)}) {
    Image expected = before;
    twin::for_each(form, kElements, [&](uint32_t r, uint32_t i) {
      const U x = before.get<U>(kSrc0 + twin::place(form, form.src0, sizeof(U), kElements, r, i));
      expected.set(kDst + twin::place(form, form.dst, sizeof(T), kElements, r, i),
                   expected_value<T>(x, mode, true, false));
    });
    const Outcome o = run(before, [&] {
      const LocalTensor<T> d = at<T>(kDst);
      const LocalTensor<U> s = at<U>(kSrc0);
      const auto repeats = static_cast<uint8_t>(form.repeats);
      if (form.use_prefix)
        Cast(d, s, static_cast<RoundMode>(mode), uint64_t{form.prefix}, repeats,
             unary_params(form));
      else
        Cast(d, s, static_cast<RoundMode>(mode), form.mask, repeats, unary_params(form));
    });
    ASSERT_TRUE(same<T>(o.image, expected)) << form.text();
  }
}

using twin::kCeil, twin::kFloor, twin::kNone, twin::kOdd, twin::kRint, twin::kRound, twin::kTrunc;

TEST(Cast, WidensExactly) {
  check_cast<float, Half>({kNone});
  check_cast<float, BFloat16>({kNone});
  check_cast<float, int16_t>({kNone});
  check_cast<Half, int8_t>({kNone});
  check_cast<Half, uint8_t>({kNone});
  check_cast<int64_t, int32_t>({kNone});
}
TEST(Cast, FloatToHalf) {
  check_cast<Half, float>({kNone, kRint, kFloor, kCeil, kRound, kTrunc, kOdd}, true);
}
TEST(Cast, FloatToBfloat16) {
  check_cast<BFloat16, float>({kRint, kFloor, kCeil, kRound, kTrunc}, true);
}
TEST(Cast, Int16ToHalf) {
  check_cast<Half, int16_t>({kNone, kRint, kFloor, kCeil, kRound, kTrunc});
}
TEST(Cast, Int32AndInt64ToFloat) {
  check_cast<float, int32_t>({kNone, kRint, kFloor, kCeil, kRound, kTrunc});
  check_cast<float, int64_t>({kRint, kFloor, kCeil, kRound, kTrunc});
}
TEST(Cast, HalfToIntegers) {
  check_cast<int8_t, Half>({kNone, kRint, kFloor, kCeil, kRound, kTrunc});
  check_cast<uint8_t, Half>({kNone, kRint, kFloor, kCeil, kRound, kTrunc});
  check_cast<int16_t, Half>({kRint, kFloor, kCeil, kRound, kTrunc});
  check_cast<int32_t, Half>({kRint, kFloor, kCeil, kRound, kTrunc});
}
TEST(Cast, FloatToIntegers) {
  check_cast<int16_t, float>({kRint, kFloor, kCeil, kRound, kTrunc});
  check_cast<int32_t, float>({kRint, kFloor, kCeil, kRound, kTrunc});
  check_cast<int64_t, float>({kRint, kFloor, kCeil, kRound, kTrunc});
  check_cast<int32_t, BFloat16>({kRint, kFloor, kCeil, kRound, kTrunc});
}
TEST(Cast, FloatToWholeFloat) { check_cast<float, float>({kRint, kFloor, kCeil, kRound, kTrunc}); }
TEST(Cast, NarrowsIntegers) {
  check_cast<int16_t, int32_t>({kNone});
  check_cast<int32_t, int64_t>({kNone});
}
TEST(Cast, Repeats) {
  check_repeats<float, Half>(kNone);
  check_repeats<Half, float>(kRint);
  check_repeats<int32_t, float>(kTrunc);
  check_repeats<uint8_t, Half>(kRound);
  check_repeats<Half, uint8_t>(kNone);
  check_repeats<float, int64_t>(kRint);
  check_repeats<BFloat16, float>(kRint);
  check_repeats<int32_t, BFloat16>(kFloor);
  check_repeats<int16_t, float>(kCeil);
  check_repeats<int64_t, int32_t>(kNone);
}

TEST(Cast, Int32ToHalfTimesTheScale) {
  Image before(57);
  const std::vector<int32_t> source = edges<int32_t>();
  before.fill(kSrc0, source);
  for (bool keep : {true, false}) {
    Image expected = before;
    for (uint32_t i = 0; i < 300; ++i) {
      const Half h(static_cast<float>(source[i]) * 0.25f);
      expected.set(kDst + 2 * i, keep ? h : twin::saturated(h));
    }
    const Outcome o = run(before,
                          [] {
                            AscendC::SetDeqScale(Half(0.25f));
                            Cast(at<Half>(kDst), at<int32_t>(kSrc0), RoundMode::CAST_NONE, 300);
                          },
                          {keep});
    EXPECT_TRUE(same<Half>(o.image, expected)) << keep;
  }
}

int nibble(const Image& image, uint32_t base, uint32_t i) {
  const int bits = image.get<uint8_t>(base + i / 2) >> (i % 2 ? 4 : 0) & 15;
  return bits > 7 ? bits - 16 : bits;
}

TEST(Cast, Int4) {
  Image before(58);
  before.fill(kSrc1, edges<Half>());
  Image expected = before;
  for (uint32_t i = 0; i < 200; ++i)
    expected.set(kDst + 2 * i, Half(static_cast<float>(nibble(before, kSrc0, i))));
  const Outcome widened =
      run(before, [] { Cast(at<Half>(kDst), at<int4b_t>(kSrc0), RoundMode::CAST_NONE, 200); });
  EXPECT_TRUE(same<Half>(widened.image, expected));
  for (twin::Mode mode : {kNone, kRint, kFloor, kCeil, kRound, kTrunc}) {
    const Outcome narrowed = run(before, [&] {
      Cast(at<int4b_t>(kDst), at<Half>(kSrc1), static_cast<RoundMode>(mode), 200);
    });
    for (uint32_t i = 0; i < 200; ++i) {
      const auto x = static_cast<float>(before.get<Half>(kSrc1 + 2 * i));
      const int whole = twin::to_integer<int8_t>(x, mode);
      EXPECT_EQ(nibble(narrowed.image, kDst, i), whole < -8 ? -8 : whole > 7 ? 7 : whole) << i;
    }
    EXPECT_EQ(std::memcmp(narrowed.image.data() + 100, before.data() + 100, kImage - 100), 0);
  }
}

// By masks and repeats: 128 elements of half in an iteration, so that int4b_t lie in 64 bytes of
// it; strides count blocks of 32 bytes of either side (page "Cast").
TEST(Cast, Int4ByIterations) {
  Image before(59);
  before.fill(kSrc1, edges<Half>());
  Image expected = before;
  for (uint32_t r = 0; r < 3; ++r) {
    for (uint32_t i = 0; i < 100; ++i)
      expected.set(kDst + 288 * r + 2 * i,
                   Half(static_cast<float>(nibble(before, kSrc0 + 96 * r, i))));
  }
  const Outcome widened = run(before, [] {
    Cast(at<Half>(kDst), at<int4b_t>(kSrc0), RoundMode::CAST_NONE, uint64_t{100}, 3, {1, 1, 9, 3});
  });
  EXPECT_TRUE(same<Half>(widened.image, expected));
  const Outcome narrowed = run(before, [] {
    Cast(at<int4b_t>(kDst), at<Half>(kSrc1), RoundMode::CAST_RINT, uint64_t{128}, 2, {1, 1, 3, 8});
  });
  for (uint32_t i = 0; i < 256; ++i) {
    const auto x = static_cast<float>(before.get<Half>(kSrc1 + 2 * i));
    const int whole = twin::to_integer<int8_t>(x, kRint);
    EXPECT_EQ(nibble(narrowed.image, kDst + 96 * (i / 128), i % 128), whole < -8  ? -8
                                                                      : whole > 7 ? 7
                                                                                  : whole)
        << i;
  }
}

}  // namespace
}  // namespace conformance
