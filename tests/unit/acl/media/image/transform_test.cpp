// Against twins that compute in double, pixel by pixel.
#include "opkit/acl/media/image/transform.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace opkit::image {
namespace {

struct Owned {
  Owned(PixelFormat format, uint32_t width, uint32_t height, uint32_t stride, uint32_t rows,
        uint32_t seed) {
    picture = {layout_of(static_cast<int32_t>(format)), width, height, stride, rows, nullptr};
    bytes.resize(bytes_of(picture));
    std::mt19937 random(seed);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    picture.data = bytes.data();
  }
  Picture picture;
  std::vector<uint8_t> bytes;
};

// The bilinear formula with pixel centers at halves; samples outside repeat the edge.
double bilinear_at(const std::function<int(int, int)>& from, int width, int height, double x,
                   double y) {
  const auto at = [&](int column, int row) {
    return from(std::clamp(column, 0, width - 1), std::clamp(row, 0, height - 1));
  };
  const int column = static_cast<int>(std::floor(x)), row = static_cast<int>(std::floor(y));
  const double u = x - column, v = y - row;
  return (1 - v) * ((1 - u) * at(column, row) + u * at(column + 1, row)) +
         v * ((1 - u) * at(column, row + 1) + u * at(column + 1, row + 1));
}

double scaled_at(const std::function<int(int, int)>& from, int width, int height, int to_width,
                 int to_height, int x, int y) {
  return bilinear_at(from, width, height, (x + 0.5) * width / to_width - 0.5,
                     (y + 0.5) * height / to_height - 0.5);
}

TEST(Transform, ResizesNv12AsTheFormulaSays) {
  const std::pair<uint32_t, uint32_t> sizes[] = {{64, 48}, {32, 24},   {100, 30},
                                                 {18, 90}, {200, 150}, {64, 6}};
  const Owned from(PixelFormat::kNv12, 64, 48, 80, 50, 1);
  for (const auto& [width, height] : sizes) {
    Owned to(PixelFormat::kNv21, width, height, width + 6, height + 2, 2);
    const std::vector<uint8_t> before = to.bytes;
    run({from.picture, to.picture, {0, 0, 64, 48}, {0, 0, width, height}});
    const auto luma = [&](int x, int y) { return from.bytes[static_cast<size_t>(y * 80 + x)]; };
    for (uint32_t y = 0; y < height; ++y) {
      for (uint32_t x = 0; x < width; ++x)
        ASSERT_NEAR(to.bytes[y * (width + 6) + x], scaled_at(luma, 64, 48, width, height, x, y),
                    1.01)
            << width << " " << x << " " << y;
      for (uint32_t x = width; x < width + 6; ++x)
        ASSERT_EQ(to.bytes[y * (width + 6) + x], before[y * (width + 6) + x]) << "behind the row";
    }
    for (int v = 0; v < 2; ++v) {
      const auto chroma = [&](int x, int y) {
        return from.bytes[static_cast<size_t>(80 * 50 + y * 80 + 2 * x + v)];
      };
      for (uint32_t y = 0; y < height / 2; ++y)
        for (uint32_t x = 0; x < width / 2; ++x)
          ASSERT_NEAR(to.bytes[(height + 2 + y) * (width + 6) + 2 * x + 1 - v],
                      scaled_at(chroma, 32, 24, width / 2, height / 2, x, y), 1.01);
    }
  }
}

TEST(Transform, CropsAndPastesAndLeavesTheRest) {
  const Owned from(PixelFormat::kRgb, 40, 30, 120, 30, 3);
  Owned to(PixelFormat::kBgr, 50, 40, 160, 40, 4);
  const std::vector<uint8_t> before = to.bytes;
  run({from.picture, to.picture, {5, 7, 20, 10}, {16, 3, 20, 10}});
  for (uint32_t y = 0; y < 40; ++y)
    for (uint32_t i = 0; i < 160; ++i) {
      const uint32_t x = i / 3, channel = i % 3;
      const bool inside = x >= 16 && x < 36 && y >= 3 && y < 13;
      const uint8_t expected = inside
                                   ? from.bytes[(y - 3 + 7) * 120 + (x - 16 + 5) * 3 + 2 - channel]
                                   : before[y * 160 + i];
      ASSERT_EQ(to.bytes[y * 160 + i], expected) << x << " " << y;
    }
}

TEST(Transform, TakesTheNearest) {
  const Owned from(PixelFormat::kGray, 30, 20, 30, 20, 5);
  Owned to(PixelFormat::kGray, 70, 9, 70, 9, 6);
  run({from.picture, to.picture, {0, 0, 30, 20}, {0, 0, 70, 9}, Filter::kNearest});
  for (uint32_t y = 0; y < 9; ++y)
    for (uint32_t x = 0; x < 70; ++x)
      ASSERT_EQ(to.bytes[y * 70 + x], from.bytes[y * 20 / 9 * 30 + x * 30 / 70]);
}

// Every packed and semi-planar format holds the same colours, and gives them back.
TEST(Transform, KnowsWhereEveryFormatHasItsBytes) {
  const int32_t formats[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1000, 1001};
  Owned flat(PixelFormat::kYuv444, 16, 8, 48, 8, 0);
  for (size_t i = 0; i < flat.bytes.size(); ++i)
    flat.bytes[i] = static_cast<uint8_t>(50 + i % 3 * 60);
  for (const int32_t format : formats) {
    const auto* layout = layout_of(format);
    const uint32_t stride = 16u * layout->row_bytes;
    Owned middle(static_cast<PixelFormat>(format), 16, 8, stride, 8, 7);
    Owned back(PixelFormat::kYuv444, 16, 8, 48, 8, 8);
    run({flat.picture, middle.picture, {0, 0, 16, 8}, {0, 0, 16, 8}});
    run({middle.picture, back.picture, {0, 0, 16, 8}, {0, 0, 16, 8}});
    EXPECT_EQ(back.bytes, flat.bytes) << layout->name;
  }
  EXPECT_EQ(layout_of(18), nullptr);
}

TEST(Transform, BytesOfTwoPixelsOfYuyvAndOfNv21) {
  Owned from(PixelFormat::kYuyv, 2, 1, 4, 1, 0);
  from.bytes = {10, 20, 30, 40};
  from.picture.data = from.bytes.data();
  const Planes planes = load(from.picture, {0, 0, 2, 1});
  EXPECT_THAT(planes.planes[0].samples, testing::ElementsAre(10, 30));
  EXPECT_THAT(planes.planes[1].samples, testing::ElementsAre(20));
  EXPECT_THAT(planes.planes[2].samples, testing::ElementsAre(40));
  Owned to(PixelFormat::kNv21, 2, 2, 2, 2, 0);
  store({ColorFamily::kYuv, 2, 2, {Plane(2, 2, 1), Plane(1, 1, 2), Plane(1, 1, 3)}}, to.picture, 0,
        0);
  EXPECT_THAT(to.bytes, testing::ElementsAre(1, 1, 1, 1, 3, 2));
}

// The matrix that the vendor's page gives for BT.601 wide.
TEST(Color, IsThatOfTheStandard) {
  for (int y = 0; y < 256; y += 15)
    for (int u = 0; u < 256; u += 15)
      for (int v = 0; v < 256; v += 15) {
        const Color rgb =
            to_rgb({static_cast<uint8_t>(y), static_cast<uint8_t>(u), static_cast<uint8_t>(v)},
                   ColorStandard::kBt601Wide);
        const double wanted[] = {y + 1.402 * (v - 128), y - 0.344 * (u - 128) - 0.714 * (v - 128),
                                 y + 1.772 * (u - 128)};
        for (size_t i = 0; i < 3; ++i)
          ASSERT_NEAR(rgb[i], std::clamp(wanted[i], 0.0, 255.0), 0.6) << y << " " << u << " " << v;
      }
  EXPECT_THAT(to_yuv({255, 255, 255}, ColorStandard::kBt601Narrow),
              testing::ElementsAre(235, 128, 128));
  EXPECT_THAT(to_yuv({0, 0, 0}, ColorStandard::kBt709Narrow), testing::ElementsAre(16, 128, 128));
  EXPECT_THAT(to_yuv({255, 0, 0}, ColorStandard::kBt601Narrow), testing::ElementsAre(81, 90, 240));
  EXPECT_THAT(to_yuv({0, 0, 255}, ColorStandard::kBt709Narrow), testing::ElementsAre(32, 240, 118));
}

TEST(Color, ComesBackFromEveryStandard) {
  for (uint32_t standard = 0; standard < kColorStandards; ++standard)
    for (int step = 0; step < 512; ++step) {
      const Color rgb = {static_cast<uint8_t>(step % 8 * 36),
                         static_cast<uint8_t>(step / 8 % 8 * 36),
                         static_cast<uint8_t>(step / 64 * 36)};
      const auto number = static_cast<ColorStandard>(standard);
      const Color back = to_rgb(to_yuv(rgb, number), number);
      for (size_t i = 0; i < 3; ++i) ASSERT_NEAR(back[i], rgb[i], 3) << standard << " " << step;
    }
}

TEST(Transform, ConvertsNv12ToRgb) {
  Owned from(PixelFormat::kNv12, 16, 8, 16, 8, 0);
  std::fill(from.bytes.begin(), from.bytes.begin() + 128, uint8_t{100});
  for (size_t i = 128; i < from.bytes.size(); ++i) from.bytes[i] = i % 2 == 0 ? 90 : 200;
  Owned to(PixelFormat::kRgba, 16, 8, 64, 8, 0);
  run({from.picture, to.picture, {0, 0, 16, 8}, {0, 0, 16, 8}});
  for (size_t i = 0; i < 128; ++i) {
    EXPECT_EQ(to.bytes[4 * i], 201);     // 100 + 1.402 * 72
    EXPECT_EQ(to.bytes[4 * i + 1], 62);  // 100 + 0.344 * 38 - 0.714 * 72
    EXPECT_EQ(to.bytes[4 * i + 2], 33);  // 100 - 1.772 * 38
    EXPECT_EQ(to.bytes[4 * i + 3], 0);
  }
}

TEST(Transform, DrawsBorders) {
  Owned from(PixelFormat::kGray, 4, 1, 4, 1, 0);
  from.bytes = {1, 2, 3, 4};
  from.picture.data = from.bytes.data();
  const auto drawn = [&](BorderType type) {
    Owned to(PixelFormat::kGray, 10, 1, 10, 1, 0);
    run({from.picture,
         to.picture,
         {0, 0, 4, 1},
         {0, 0, 10, 1},
         Filter::kBilinear,
         ColorStandard::kBt601Wide,
         Border{3, 0, 3, 0, type, {9, 0, 0}}});
    return to.bytes;
  };
  EXPECT_THAT(drawn(BorderType::kConstant), testing::ElementsAre(9, 9, 9, 1, 2, 3, 4, 9, 9, 9));
  EXPECT_THAT(drawn(BorderType::kReplicate), testing::ElementsAre(1, 1, 1, 1, 2, 3, 4, 4, 4, 4));
  EXPECT_THAT(drawn(BorderType::kReflect), testing::ElementsAre(3, 2, 1, 1, 2, 3, 4, 4, 3, 2));
  EXPECT_THAT(drawn(BorderType::kReflect101), testing::ElementsAre(4, 3, 2, 1, 2, 3, 4, 3, 2, 1));
}

TEST(Transform, ADarkBorderOfRgbBecomesYuv) {
  const Owned from(PixelFormat::kRgb, 8, 8, 24, 8, 0);
  Owned to(PixelFormat::kNv12, 12, 12, 12, 12, 9);
  run({from.picture,
       to.picture,
       {0, 0, 8, 8},
       {0, 0, 12, 12},
       Filter::kBilinear,
       ColorStandard::kBt601Wide,
       Border{2, 2, 2, 2, BorderType::kConstant, {255, 0, 0}}});
  EXPECT_EQ(to.bytes[0], 76);
  EXPECT_EQ(to.bytes[144], 85);
  EXPECT_EQ(to.bytes[145], 255);
}

}  // namespace
}  // namespace opkit::image
