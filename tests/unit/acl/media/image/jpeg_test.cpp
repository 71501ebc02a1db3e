#include "opkit/acl/media/image/jpeg.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "block_jpeg.h"

namespace opkit::image {
namespace {

using ::testing::HasSubstr;

BlockJpeg blocks(uint32_t width, uint32_t height, int across, int down) {
  BlockJpeg jpeg{width, height, across, down};
  jpeg.value = block_value;
  return jpeg;
}

int worst_of(const Plane& plane, int component) {
  int worst = 0;
  for (uint32_t y = 0; y < plane.height; ++y)
    for (uint32_t x = 0; x < plane.width; ++x)
      worst = std::max(worst, std::abs(plane.row(y)[x] - block_value(component, x / 8, y / 8)));
  return worst;
}

TEST(Jpeg, GivesTheSamplesOfEverySampling) {
  const std::pair<int, int> ratios[] = {{1, 1}, {2, 1}, {2, 2}, {1, 2}};
  const JpegSampling samplings[] = {JpegSampling::k444, JpegSampling::k422, JpegSampling::k420,
                                    JpegSampling::k440};
  for (size_t i = 0; i < 4; ++i) {
    const auto [across, down] = ratios[i];
    const std::string bytes = blocks(77, 45, across, down).write();
    const auto header = read_jpeg_header(bytes);
    ASSERT_TRUE(header.ok()) << header.error().to_string();
    EXPECT_EQ(header->sampling, samplings[i]);
    EXPECT_EQ(header->width, 77u);
    EXPECT_EQ(header->height, 45u);
    EXPECT_EQ(header->components, 3);
    const auto planes = decode_jpeg(bytes);
    ASSERT_TRUE(planes.ok()) << planes.error().to_string();
    EXPECT_EQ(planes->planes[1].width, samples_of(77, static_cast<uint32_t>(across)));
    EXPECT_EQ(planes->planes[2].height, samples_of(45, static_cast<uint32_t>(down)));
    for (int c = 0; c < 3; ++c)
      EXPECT_LE(worst_of(planes->planes[static_cast<size_t>(c)], c), 1) << i << " " << c;
  }
}

TEST(Jpeg, OfGrayHasOnePlane) {
  BlockJpeg jpeg = blocks(33, 40, 1, 1);
  jpeg.components = 1;
  const auto planes = decode_jpeg(jpeg.write());
  ASSERT_TRUE(planes.ok()) << planes.error().to_string();
  EXPECT_EQ(planes->family, ColorFamily::kGray);
  EXPECT_LE(worst_of(planes->planes[0], 0), 1);
}

// Where the stored top left corner is seen, as Exif's table of orientations says.
TEST(Jpeg, IsTurnedUpright) {
  for (int orientation = 1; orientation <= 8; ++orientation) {
    BlockJpeg jpeg = blocks(48, 32, 2, 1);
    jpeg.orientation = orientation;
    jpeg.value = [](int component, uint32_t x, uint32_t y) {
      return component == 0 && x == 0 && y == 0   ? 240
             : component == 0 && x == 1 && y == 0 ? 120
                                                  : 60;
    };
    const std::string bytes = jpeg.write();
    ASSERT_EQ(read_jpeg_header(bytes)->orientation, orientation);
    const Planes planes = upright(*decode_jpeg(bytes), orientation);
    const bool lies = orientation >= 5;
    ASSERT_EQ(planes.width(), lies ? 32u : 48u);
    EXPECT_EQ(planes.subsample_x, lies ? 1u : 2u);
    EXPECT_EQ(planes.subsample_y, lies ? 2u : 1u);
    const bool right = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
    const bool bottom =
        orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
    const uint32_t x = right ? planes.width() - 1 : 0, y = bottom ? planes.height() - 1 : 0;
    EXPECT_NEAR(planes.planes[0].row(y)[x], 240, 1) << orientation;
    const uint32_t x2 = lies ? x : right ? x - 8 : 8, y2 = !lies ? y : bottom ? y - 8 : 8;
    EXPECT_NEAR(planes.planes[0].row(y2)[x2], 120, 1) << orientation;
  }
}

TEST(Jpeg, SaysWhatItDoesNotRead) {
  BlockJpeg jpeg = blocks(40, 40, 1, 1);
  const std::string whole = jpeg.write();
  EXPECT_EQ(read_jpeg_header("\x89PNG").error().code, "OPK-IMAGE-001");
  EXPECT_EQ(read_jpeg_header("").error().code, "OPK-IMAGE-001");
  EXPECT_EQ(read_jpeg_header(whole.substr(0, 60)).error().code, "OPK-IMAGE-001");
  const Error cut = decode_jpeg(whole.substr(0, whole.size() - 20)).error();
  EXPECT_EQ(cut.code, "OPK-IMAGE-003");
  EXPECT_THAT(cut.action, HasSubstr("all of the file"));
  jpeg.kind = 0xc2;
  EXPECT_EQ(read_jpeg_header(jpeg.write()).error().code, "OPK-IMAGE-002");
  EXPECT_THAT(decode_jpeg(jpeg.write()).error().message, HasSubstr("progressive"));
  jpeg.kind = 0xc9;
  EXPECT_THAT(decode_jpeg(jpeg.write()).error().message, HasSubstr("arithmetic"));
  jpeg.kind = 0xc3;
  EXPECT_EQ(decode_jpeg(jpeg.write()).error().code, "OPK-IMAGE-002");
  EXPECT_EQ(read_jpeg_header(blocks(64, 40, 4, 1).write())->sampling, JpegSampling::k411);
  EXPECT_EQ(decode_jpeg(blocks(64, 40, 4, 1).write()).error().code, "OPK-IMAGE-002");
}

Planes slopes(uint32_t width, uint32_t height, uint32_t x, uint32_t y) {
  Planes planes{ColorFamily::kYuv, x, y};
  for (size_t i = 0; i < 3; ++i) {
    Plane& plane = planes.planes[i] =
        i == 0 ? Plane(width, height) : Plane(samples_of(width, x), samples_of(height, y));
    for (uint32_t row = 0; row < plane.height; ++row)
      for (uint32_t column = 0; column < plane.width; ++column)
        plane.row(row)[column] = static_cast<uint8_t>(60 + i * 20 + row + column);
  }
  return planes;
}

TEST(Jpeg, WrittenHereIsReadBack) {
  for (const auto& [x, y] : {std::pair(2u, 2u), {2u, 1u}, {1u, 1u}}) {
    const Planes from = slopes(54, 37, x, y);
    std::vector<uint8_t> bytes(most_jpeg_bytes(54, 37));
    const auto size = encode_jpeg(from, 95, bytes.data(), bytes.size());
    ASSERT_TRUE(size.ok()) << size.error().to_string();
    const auto back = decode_jpeg({reinterpret_cast<const char*>(bytes.data()), *size});
    ASSERT_TRUE(back.ok()) << back.error().to_string();
    for (size_t i = 0; i < 3; ++i) {
      ASSERT_EQ(back->planes[i].samples.size(), from.planes[i].samples.size());
      for (size_t j = 0; j < from.planes[i].samples.size(); ++j)
        ASSERT_NEAR(back->planes[i].samples[j], from.planes[i].samples[j], 4) << i << " " << j;
    }
    EXPECT_EQ(encode_jpeg(from, 95, bytes.data(), *size).ok(), true) << "exactly as much";
    const auto none = encode_jpeg(from, 95, bytes.data(), *size - 1);
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.error().code, "OPK-IMAGE-004");
  }
}

// Noise at the best quality is the largest that there is.
TEST(Jpeg, IsNeverLargerThanPredicted) {
  for (const auto& [width, height] : {std::pair(16u, 16u), {33u, 47u}, {160u, 80u}}) {
    Planes noise = slopes(width, height, 1, 1);
    uint32_t state = 1;
    for (Plane& plane : noise.planes)
      for (uint8_t& sample : plane.samples)
        sample = (state = state * 1664525u + 1013904223u) >> 31 ? 255 : 0;
    std::vector<uint8_t> bytes(most_jpeg_bytes(width, height));
    EXPECT_TRUE(encode_jpeg(noise, 100, bytes.data(), bytes.size()).ok());
  }
}

}  // namespace
}  // namespace opkit::image
