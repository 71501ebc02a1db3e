// Pyramids beside a formula of the test's own.
#include "opkit/acl/media/image/pyramid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace opkit::image {
namespace {

Plane wavy(uint32_t width, uint32_t height) {
  Plane plane(width, height);
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x)
      plane.row(y)[x] = static_cast<uint8_t>((x * 37 + y * 91 + x * y) % 256);
  return plane;
}

TEST(Pyramid, EveryLevelIsTheMeanOfNeighbours) {
  const int line[] = {1, 4, 6, 4, 1};
  PyramidFilter filter{{}, 256};
  for (size_t i = 0; i < 5; ++i)
    for (size_t j = 0; j < 5; ++j) filter.weights[i][j] = static_cast<int8_t>(line[i] * line[j]);
  const Plane from = wavy(21, 13);
  const Plane to = halved(from, filter, BorderType::kReplicate, 0);
  ASSERT_EQ(to.width, 11u);
  ASSERT_EQ(to.height, 7u);
  for (int y = 0; y < 7; ++y) {
    for (int x = 0; x < 11; ++x) {
      double sum = 0;
      for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j)
          sum += line[i] * line[j] *
                 from.row(static_cast<uint32_t>(
                     std::clamp(2 * y + i - 2, 0, 12)))[std::clamp(2 * x + j - 2, 0, 20)];
      ASSERT_EQ(to.row(static_cast<uint32_t>(y))[x], std::floor(sum / 256 + 0.5)) << x << " " << y;
    }
  }
}

TEST(Pyramid, ValuesStandOutsideOfAConstantBorder) {
  PyramidFilter filter{{}, 1};
  filter.weights[0][2] = 1;  // two rows above
  const Plane from = wavy(12, 8);
  const Plane to = halved(from, filter, BorderType::kConstant, 9);
  EXPECT_EQ(to.row(0)[3], 9);
  EXPECT_EQ(to.row(1)[3], from.row(0)[6]);
  const Plane mirrored = halved(from, filter, BorderType::kReflect, 0);
  EXPECT_EQ(mirrored.row(0)[3], from.row(1)[6]);
}

TEST(Pyramid, SumsAreClampedToBytes) {
  PyramidFilter filter{{}, 1};
  filter.weights[2][2] = 2;
  Plane from(10, 6, 200);
  EXPECT_EQ(halved(from, filter, BorderType::kReplicate, 0).row(1)[1], 255);
  filter.weights[2][2] = -1;
  EXPECT_EQ(halved(from, filter, BorderType::kReplicate, 0).row(1)[1], 0);
}

}  // namespace
}  // namespace opkit::image
