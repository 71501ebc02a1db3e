// PNGs that the test writes itself, and what must not be taken for one.
#include "opkit/acl/media/image/png.h"

#include <gmock/gmock.h>

#include "plain_png.h"

namespace opkit::image {
namespace {

std::string png(int components, int depth = 8, int color = -1) {
  return PlainPng{40, 33, components, plain_value, depth, color}.write();
}

struct Target {
  explicit Target(PixelFormat format) {
    picture.layout = layout_of(static_cast<int32_t>(format));
    picture.width = 40, picture.height = picture.height_stride = 33;
    picture.width_stride = 176;
    picture.data = bytes.data();
  }
  const uint8_t* at(uint32_t x, uint32_t y) const {
    return bytes.data() + y * 176 + x * picture.layout->row_bytes;
  }
  std::vector<uint8_t> bytes = std::vector<uint8_t>(176 * 33, 5);
  Picture picture;
};

TEST(Png, SamplesAreThoseOfTheFile) {
  for (const int components : {1, 2, 3, 4}) {
    const auto header = read_png_header(png(components));
    ASSERT_TRUE(header.ok()) << header.error().to_string();
    EXPECT_EQ(header->width, 40u);
    EXPECT_EQ(header->height, 33u);
    EXPECT_EQ(components_of(header->color), components);
    const bool gray = components <= 2, alpha = components % 2 == 0;
    EXPECT_EQ(has_alpha(header->color), alpha);
    Target to(alpha ? PixelFormat::kRgba : PixelFormat::kRgb);
    ASSERT_TRUE(decode_png(png(components), to.picture).ok());
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(to.at(13, 21)[i], plain_value(13, 21, gray ? 0 : i)) << components;
    if (alpha) {
      EXPECT_EQ(to.at(13, 21)[3], plain_value(13, 21, components - 1));
    }
  }
}

TEST(Png, AlphaIsLeftOutOfRgb) {
  Target to(PixelFormat::kRgb);
  ASSERT_TRUE(decode_png(png(4), to.picture).ok());
  EXPECT_EQ(to.at(1, 0)[0], plain_value(1, 0, 0));
  EXPECT_EQ(to.bytes[40 * 3], 5);  // what lies behind a row stays
}

TEST(Png, OthersHaveCodesOfTheirOwn) {
  const auto code = [](const std::string& bytes) { return read_png_header(bytes).error().code; };
  EXPECT_EQ(code("\xff\xd8\xff"), "OPK-IMAGE-005");
  EXPECT_EQ(code(png(3).substr(0, 20)), "OPK-IMAGE-005");
  EXPECT_EQ(code(png(3, 16)), "OPK-IMAGE-006");
  EXPECT_EQ(code(png(1, 4)), "OPK-IMAGE-006");
  Target to(PixelFormat::kRgb);
  const std::string file = png(3);
  const Status cut = decode_png(file.substr(0, file.size() - 40), to.picture);
  ASSERT_FALSE(cut.ok());
  EXPECT_EQ(cut.error().code, "OPK-IMAGE-007");
  EXPECT_EQ(cut.error().action, "look whether all of the file was read, and its size handed on");
  EXPECT_EQ(to.bytes[0], 5);
  std::string wrong = file;
  wrong[100] = static_cast<char>(wrong[100] ^ 1);
  EXPECT_EQ(decode_png(wrong, to.picture).error().code, "OPK-IMAGE-007");
}

}  // namespace
}  // namespace opkit::image
