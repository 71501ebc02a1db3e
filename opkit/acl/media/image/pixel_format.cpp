#include "opkit/acl/media/image/pixel_format.h"

namespace opkit::image {
namespace {

using enum ColorFamily;

constexpr ComponentLayout kWhole{0, 0, 1}, kEven{1, 0, 2}, kOdd{1, 1, 2};

// Y in plane 0, U and V by turns in plane 1.
constexpr PixelLayout semi_planar(PixelFormat format, const char* name, bool v_first, uint8_t x,
                                  uint8_t y) {
  return {.format = format,
          .name = name,
          .family = kYuv,
          .components = {kWhole, v_first ? kOdd : kEven, v_first ? kEven : kOdd},
          .subsample_x = x,
          .subsample_y = y,
          .row_bytes = 1,
          .chroma_strides = static_cast<uint8_t>(2 / x),
          .alpha = -1};
}

// Two pixels in four bytes.
constexpr PixelLayout packed_422(PixelFormat format, const char* name, uint8_t y, uint8_t u,
                                 uint8_t v) {
  return {.format = format,
          .name = name,
          .family = kYuv,
          .components = {{{0, y, 2}, {0, u, 4}, {0, v, 4}}},
          .subsample_x = 2,
          .subsample_y = 1,
          .row_bytes = 2,
          .chroma_strides = 0,
          .alpha = -1};
}

constexpr PixelLayout packed(PixelFormat format, const char* name, ColorFamily family,
                             uint8_t bytes, uint8_t a, uint8_t b, uint8_t c, int8_t alpha = -1) {
  return {.format = format,
          .name = name,
          .family = family,
          .components = {{{0, a, bytes}, {0, b, bytes}, {0, c, bytes}}},
          .subsample_x = 1,
          .subsample_y = 1,
          .row_bytes = bytes,
          .chroma_strides = 0,
          .alpha = alpha};
}

constexpr PixelLayout kLayouts[] = {
    {.format = PixelFormat::kGray,
     .name = "YUV400",
     .family = kGray,
     .components = {kWhole, kWhole, kWhole},
     .subsample_x = 1,
     .subsample_y = 1,
     .row_bytes = 1,
     .chroma_strides = 0,
     .alpha = -1},
    semi_planar(PixelFormat::kNv12, "YUV420SP NV12", false, 2, 2),
    semi_planar(PixelFormat::kNv21, "YUV420SP NV21", true, 2, 2),
    semi_planar(PixelFormat::kYuv422Sp, "YUV422SP", false, 2, 1),
    semi_planar(PixelFormat::kYvu422Sp, "YVU422SP", true, 2, 1),
    semi_planar(PixelFormat::kYuv444Sp, "YUV444SP", false, 1, 1),
    semi_planar(PixelFormat::kYvu444Sp, "YVU444SP", true, 1, 1),
    packed_422(PixelFormat::kYuyv, "YUV422 YUYV", 0, 1, 3),
    packed_422(PixelFormat::kUyvy, "YUV422 UYVY", 1, 0, 2),
    packed_422(PixelFormat::kYvyu, "YUV422 YVYU", 0, 3, 1),
    packed_422(PixelFormat::kVyuy, "YUV422 VYUY", 1, 2, 0),
    packed(PixelFormat::kYuv444, "YUV444", kYuv, 3, 0, 1, 2),
    packed(PixelFormat::kRgb, "RGB888", kRgb, 3, 0, 1, 2),
    packed(PixelFormat::kBgr, "BGR888", kRgb, 3, 2, 1, 0),
    packed(PixelFormat::kArgb, "ARGB8888", kRgb, 4, 1, 2, 3, 0),
    packed(PixelFormat::kAbgr, "ABGR8888", kRgb, 4, 3, 2, 1, 0),
    packed(PixelFormat::kRgba, "RGBA8888", kRgb, 4, 0, 1, 2, 3),
    packed(PixelFormat::kBgra, "BGRA8888", kRgb, 4, 2, 1, 0, 3),
    semi_planar(PixelFormat::kYuv440Sp, "YUV440SP", false, 1, 2),
    semi_planar(PixelFormat::kYvu440Sp, "YVU440SP", true, 1, 2),
};

}  // namespace

const PixelLayout* layout_of(int32_t format) {
  for (const PixelLayout& layout : kLayouts) {
    if (static_cast<int32_t>(layout.format) == format) return &layout;
  }
  return nullptr;
}

}  // namespace opkit::image
