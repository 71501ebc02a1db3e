// PixelFormat: how the pixels of a picture lie in memory. PixelLayout: the same as numbers, so that
// one loop reads every format.
#ifndef OPKIT_ACL_MEDIA_IMAGE_PIXEL_FORMAT_H_
#define OPKIT_ACL_MEDIA_IMAGE_PIXEL_FORMAT_H_

#include <array>
#include <cstdint>

namespace opkit::image {

// The numbers are the vendor's acldvppPixelFormat.
enum class PixelFormat : int32_t {
  kGray = 0,
  kNv12 = 1,
  kNv21 = 2,
  kYuv422Sp = 3,
  kYvu422Sp = 4,
  kYuv444Sp = 5,
  kYvu444Sp = 6,
  kYuyv = 7,
  kUyvy = 8,
  kYvyu = 9,
  kVyuy = 10,
  kYuv444 = 11,
  kRgb = 12,
  kBgr = 13,
  kArgb = 14,
  kAbgr = 15,
  kRgba = 16,
  kBgra = 17,
  kYuv440Sp = 1000,
  kYvu440Sp = 1001,
};

enum class ColorFamily : uint8_t { kGray, kYuv, kRgb };

// Where the samples of one component lie: plane 0 or 1, bytes of the first one in its row, bytes
// from one to the next.
struct ComponentLayout {
  uint8_t plane = 0, first = 0, step = 1;
};

struct PixelLayout {
  PixelFormat format;
  const char* name;  // "YUV420SP NV12"
  ColorFamily family;
  std::array<ComponentLayout, 3> components;  // Y U V or R G B; only the first of a gray one
  uint8_t subsample_x, subsample_y;           // pixels per sample of U and V
  uint8_t row_bytes;                          // bytes of a pixel in a row of plane 0
  uint8_t chroma_strides;  // rows of plane 1 are so many width strides apart; 0: no plane 1
  int8_t alpha;            // byte of a pixel that is alpha; -1: none
};

// nullptr: a format that pictures cannot have here.
const PixelLayout* layout_of(int32_t format);

}  // namespace opkit::image

#endif  // OPKIT_ACL_MEDIA_IMAGE_PIXEL_FORMAT_H_
