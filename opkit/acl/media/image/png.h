// PNG by libpng, which only png.cpp sees. Bytes may be anything: what is no whole PNG of 8 bits in
// gray or RGB, with alpha or without, is an Error.
#ifndef OPKIT_ACL_MEDIA_IMAGE_PNG_H_
#define OPKIT_ACL_MEDIA_IMAGE_PNG_H_

#include <string_view>

#include "opkit/acl/media/image/picture.h"
#include "opkit/base/status.h"

namespace opkit::image {

// The numbers are those of the file format.
enum class PngColor : uint8_t { kGray = 0, kRgb = 2, kGrayAlpha = 4, kRgba = 6 };

struct PngHeader {
  uint32_t width = 0, height = 0;
  PngColor color = PngColor::kRgb;
};

constexpr int32_t components_of(PngColor color) {
  return color == PngColor::kGray        ? 1
         : color == PngColor::kGrayAlpha ? 2
         : color == PngColor::kRgb       ? 3
                                         : 4;
}
constexpr bool has_alpha(PngColor color) {
  return color == PngColor::kGrayAlpha || color == PngColor::kRgba;
}

// Errors: OPK-IMAGE-005 for what is no PNG or ends in its header; -006 for what is not read here:
// palettes, 1, 2, 4 and 16 bits.
Result<PngHeader> read_png_header(std::string_view bytes);

// Decodes into the picture's memory: R, G, B, and alpha where its format has it; gray is all three.
// No gamma is applied. Errors: as above; -007 for data that breaks off or makes no sense, and then
// the memory is as it was. REQUIRES: the picture is RGB888, or RGBA8888 where the file has alpha,
// of the file's size.
Status decode_png(std::string_view bytes, const Picture& picture);

}  // namespace opkit::image

#endif  // OPKIT_ACL_MEDIA_IMAGE_PNG_H_
