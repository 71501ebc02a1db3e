#include "opkit/reference/tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace opkit::reference {
namespace {

TEST(RoundedTo, Float16TiesToEven) {
  EXPECT_EQ(rounded_to(DType::kFloat16, 2048), 2048);
  EXPECT_EQ(rounded_to(DType::kFloat16, 2049), 2048);  // between 2048 and 2050
  EXPECT_EQ(rounded_to(DType::kFloat16, 2051), 2052);
  EXPECT_EQ(rounded_to(DType::kFloat16, std::nextafter(2049, 3000)), 2050);
  EXPECT_EQ(rounded_to(DType::kFloat16, -2049), -2048);
}

TEST(RoundedTo, Float16Limits) {
  EXPECT_EQ(rounded_to(DType::kFloat16, 65504), 65504);
  EXPECT_EQ(rounded_to(DType::kFloat16, 65519.99), 65504);
  EXPECT_EQ(rounded_to(DType::kFloat16, 65520), INFINITY);
  EXPECT_EQ(rounded_to(DType::kFloat16, -1e9), -INFINITY);
  EXPECT_EQ(rounded_to(DType::kFloat16, 0x1p-24), 0x1p-24);
  EXPECT_EQ(rounded_to(DType::kFloat16, 0x1p-25), 0);  // a tie between 0 and the smallest
  EXPECT_EQ(rounded_to(DType::kFloat16, 0x1.8p-25), 0x1p-24);
  EXPECT_EQ(rounded_to(DType::kFloat16, 0x1.8p-24), 0x1p-23);  // a tie to even
  EXPECT_TRUE(std::signbit(rounded_to(DType::kFloat16, -0x1p-30)));
}

TEST(RoundedTo, BFloat16) {
  EXPECT_EQ(rounded_to(DType::kBFloat16, 257), 256);
  EXPECT_EQ(rounded_to(DType::kBFloat16, 259), 260);
  EXPECT_EQ(rounded_to(DType::kBFloat16, 0x1.fep127), 0x1.fep127);
  EXPECT_EQ(rounded_to(DType::kBFloat16, 0x1.ffp127), INFINITY);
  EXPECT_EQ(rounded_to(DType::kBFloat16, 0x1p-133), 0x1p-133);
  EXPECT_EQ(rounded_to(DType::kBFloat16, 0x1p-134), 0);
}

// 1 + 2^-8 + 2^-40 by way of float would be a tie and go down to 1.
TEST(RoundedTo, RoundsOnceFromDouble) {
  EXPECT_EQ(rounded_to(DType::kBFloat16, 1 + 0x1p-8 + 0x1p-40), 1 + 0x1p-7);
  EXPECT_EQ(rounded_to(DType::kFloat16, 1 + 0x1p-11 + 0x1p-40), 1 + 0x1p-10);
}

// The definition, by the C library.
double plainly_rounded(double value, int precision, int lowest_exponent, double largest) {
  if (!std::isfinite(value) || value == 0) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int ulp = std::max(exponent - precision, lowest_exponent);
  const double result = std::ldexp(std::nearbyint(std::ldexp(value, -ulp)), ulp);
  return std::abs(result) > largest ? std::copysign(INFINITY, value) : result;
}

TEST(RoundedTo, AnyBitsAsByDefinition) {
  std::mt19937_64 random(3);
  const auto check = [](double value) {
    if (std::isnan(value)) return;
    const auto same = [&](DType dtype, double wanted) {
      const double got = rounded_to(dtype, value);
      EXPECT_EQ(std::bit_cast<uint64_t>(got), std::bit_cast<uint64_t>(wanted)) << value;
    };
    same(DType::kFloat16, plainly_rounded(value, 11, -24, 65504));
    same(DType::kBFloat16, plainly_rounded(value, 8, -133, 0x1.fep127));
    same(DType::kFloat32, plainly_rounded(value, 24, -149, 0x1.fffffep127));
  };
  for (int i = 0; i < 200000; ++i) {
    const uint64_t bits = random();
    check(std::bit_cast<double>(bits));
    // Exponents around those of the three types, and ties.
    const int exponent = static_cast<int>(bits % 310) - 160;
    check(std::ldexp(static_cast<double>(static_cast<int64_t>(bits) >> (bits % 53)), exponent));
  }
}

TEST(RoundedTo, KeepsNanInfinityAndZero) {
  for (DType dtype : {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64}) {
    EXPECT_TRUE(std::isnan(rounded_to(dtype, NAN)));
    EXPECT_EQ(rounded_to(dtype, -INFINITY), -INFINITY);
    EXPECT_TRUE(std::signbit(rounded_to(dtype, -0.0)));
  }
}

TEST(Wrapped, IsTwosComplement) {
  EXPECT_TRUE(wrapped(DType::kInt8, 128) == -128);
  EXPECT_TRUE(wrapped(DType::kInt8, -129) == 127);
  EXPECT_TRUE(wrapped(DType::kUInt8, -1) == 255);
  EXPECT_TRUE(wrapped(DType::kInt4, 8) == -8);
  EXPECT_TRUE(wrapped(DType::kInt32, Wide{1} << 40) == 0);
  EXPECT_TRUE(wrapped(DType::kUInt64, (Wide{1} << 64) + 5) == 5);
}

TEST(FromTensor, RefusesIntegersBeyondDouble) {
  Tensor big(DType::kInt64, Shape{2}, "big");
  big.as<int64_t>()[1] = (int64_t{1} << 53) + 1;
  const auto result = from_tensor(big);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "OPK-REF-008");
  EXPECT_THAT(result.error().message, ::testing::HasSubstr("element 1 of 'big'"));
  big.as<int64_t>()[1] = (int64_t{1} << 53) - 1;
  ASSERT_TRUE(from_tensor(big).ok());
}

TEST(ToTensor, RoundsFloatsAndRefusesWhatDoesNotFit) {
  const auto half = to_tensor({DType::kFloat16, Shape{1}, {2049}});
  ASSERT_TRUE(half.ok());
  EXPECT_EQ(half->at(0), 2048);
  for (double value : {0.5, 128.0, -129.0, static_cast<double>(NAN)}) {
    const auto result = to_tensor({DType::kInt8, Shape{1}, {value}});
    ASSERT_FALSE(result.ok()) << value;
    EXPECT_EQ(result.error().code, "OPK-REF-008");
  }
  EXPECT_FALSE(to_tensor({DType::kBool, Shape{1}, {2}}).ok());
}

TEST(Tensors, RoundTripThroughEveryDtype) {
  for (DType dtype : all_dtypes()) {
    Tensor in(dtype, Shape{2, 2});
    for (int i = 0; i < 4; ++i) in.set(i, i % 2);
    const auto middle = from_tensor(in);
    ASSERT_TRUE(middle.ok());
    const auto out = to_tensor(*middle);
    ASSERT_TRUE(out.ok());
    EXPECT_TRUE(std::equal(in.bytes().begin(), in.bytes().end(), out->bytes().begin()));
  }
}

}  // namespace
}  // namespace opkit::reference
