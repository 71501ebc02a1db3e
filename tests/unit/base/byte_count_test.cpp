#include "opkit/base/byte_count.h"

#include <gtest/gtest.h>

namespace opkit {
namespace {

constexpr int64_t kLarge = int64_t{1} << 60;

TEST(ByteCount, CountsWholeBytes) {
  EXPECT_EQ(byte_count(DType::kFloat32, Shape{}), 4u);
  EXPECT_EQ(byte_count(DType::kFloat16, Shape{2, 3}), 12u);
  EXPECT_EQ(byte_count(DType::kInt4, Shape{3}), 2u);
  EXPECT_EQ(byte_count(DType::kFloat64, Shape{0, kLarge}), 0u);
  EXPECT_EQ(byte_count(DType::kInt8, Shape{kLarge, 4}), uint64_t{1} << 62);
  EXPECT_EQ(byte_count(DType::kInt4, Shape{kLarge, 4}), uint64_t{1} << 61);
}

TEST(ByteCount, SaysWhyThereIsNone) {
  for (const Shape& shape : {Shape{kLarge, 4}, Shape{kLarge, 1, 2}}) {
    EXPECT_EQ(byte_count(DType::kFloat32, shape), std::nullopt);
    EXPECT_EQ(why_uncounted(shape), "has 2^63 bytes or more");
  }
  EXPECT_EQ(byte_count(DType::kInt8, Shape{kLarge, kLarge}), std::nullopt);
  for (const Shape& shape : {Shape{2, -1}, Shape{-2}, Shape{-5, 3}}) {
    EXPECT_EQ(byte_count(DType::kInt8, shape), std::nullopt);
    EXPECT_EQ(why_uncounted(shape), "has a negative dim");
  }
}

}  // namespace
}  // namespace opkit
