// Sums of 64 floats by way of three functions, which give the same bits: of two NaN, too, of which
// hosts keep one and compilers decide which.
#include "opkit/core/rows/rows_reduce.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <random>

#include "opkit/abi/core.h"

namespace opkit::core::test {
namespace {

using Floats = std::array<float, 64>;

Floats special_values(std::mt19937& random) {
  constexpr uint32_t kBits[] = {0x3f800000, 0x7f800000, 0xff800000, 0x7fc00000,
                                0xffc00000, 0x7fc00001, 0xffc00002, 0x80000000};
  Floats values;
  for (float& value : values)
    value = std::bit_cast<float>(random() % 3 == 0 ? kBits[random() % 8] : kBits[0]);
  return values;
}

std::array<uint32_t, 8> bits_of_first(const float* values, size_t n) {
  std::array<uint32_t, 8> bits{};
  for (size_t i = 0; i < n; ++i) bits[i] = std::bit_cast<uint32_t>(values[i]);
  return bits;
}

TEST(RowsReduce, SumsOfOneAndOfEightHaveTheBitsOfFolds) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    const Floats values = special_values(random);
    Floats folded = values, parts{};
    fold_sums(OPK_FLOAT32, folded.data(), 64, 3, false);
    sums_of_8({reinterpret_cast<const uint8_t*>(values.data()),
               reinterpret_cast<uint8_t*>(parts.data()), 256, 32, 1});
    EXPECT_EQ(bits_of_first(parts.data(), 8), bits_of_first(folded.data(), 8));
    fold_sums(OPK_FLOAT32, folded.data(), 8, 3, false);
    const float sum = sum_of_64(values.data());
    EXPECT_EQ(bits_of_first(&sum, 1), bits_of_first(folded.data(), 1));
  }
}

TEST(RowsReduce, KeepsTheFirstOfTwoNan) {
  Floats values{};
  values[0] = std::bit_cast<float>(0x7fc00001u);
  values[1] = std::bit_cast<float>(0xffc00002u);
  values[5] = std::bit_cast<float>(0x7fc00003u);
  EXPECT_EQ(std::bit_cast<uint32_t>(sum_of_64(values.data())), 0x7fc00001u);
  values[0] = values[1] = 1;
  EXPECT_EQ(std::bit_cast<uint32_t>(sum_of_64(values.data())), 0x7fc00003u);
}

}  // namespace
}  // namespace opkit::core::test
