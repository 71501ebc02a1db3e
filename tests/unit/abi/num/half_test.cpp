#include "opkit/abi/num/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "opkit/abi/num/bfloat16.h"

namespace opkit {
namespace {

TEST(Half, EveryValueSurvivesTheRoundTripThroughFloat) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Half h = Half::from_bits(static_cast<uint16_t>(bits));
    const float f = h;
    if (std::isnan(f)) continue;
    EXPECT_EQ(Half(f).bits, bits);
  }
}

TEST(Half, AgreesWithTheCompilersBinary16) {
  for (uint64_t step = 0; step < 0x1'0000'0000ull; step += 977) {
    const float f = __builtin_bit_cast(float, static_cast<uint32_t>(step));
    if (std::isnan(f)) continue;
    const _Float16 expected = static_cast<_Float16>(f);
    EXPECT_EQ(Half(f).bits, __builtin_bit_cast(uint16_t, expected)) << f;
  }
}

TEST(Half, DoublesRoundOnce) {
  const double just_above_tie = 1.0 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40);
  EXPECT_EQ(Half(just_above_tie).bits, 0x3c01);
  const double just_below_tie = 1.0 + std::ldexp(3.0, -11) - std::ldexp(1.0, -40);
  EXPECT_EQ(Half(just_below_tie).bits, 0x3c01);
  EXPECT_EQ(Half(-just_above_tie).bits, 0xbc01);
}

TEST(Half, IntegersConvertImplicitly) {
  constexpr Half h = -1.0f;
  EXPECT_EQ(h.bits, 0xbc00);
  const Half i = 3;
  EXPECT_EQ(static_cast<float>(i), 3.0f);
}

TEST(BFloat16, RoundsToNearestEven) {
  EXPECT_EQ(BFloat16(1.0f).bits, 0x3f80);
  EXPECT_EQ(BFloat16(1.0f + 1.0f / 256).bits, 0x3f80);
  EXPECT_EQ(BFloat16(1.0f + 3.0f / 256).bits, 0x3f82);
  EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(std::numeric_limits<float>::quiet_NaN()))));
  EXPECT_TRUE(std::isinf(static_cast<float>(BFloat16(std::numeric_limits<float>::max()))));
}

}  // namespace
}  // namespace opkit
