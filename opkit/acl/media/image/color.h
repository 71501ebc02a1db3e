// Colours from Y U V to R G B and back, by the standards that acldvppCscMatrix names.
#ifndef OPKIT_ACL_MEDIA_IMAGE_COLOR_H_
#define OPKIT_ACL_MEDIA_IMAGE_COLOR_H_

#include "opkit/acl/media/image/picture.h"

namespace opkit::image {

// The numbers are the vendor's acldvppCscMatrix. Wide: Y, U and V take every value of a byte;
// narrow: Y takes 16 to 235, U and V take 16 to 240.
enum class ColorStandard : uint32_t {
  kBt601Wide = 0,
  kBt601Narrow = 1,
  kBt709Wide = 2,
  kBt709Narrow = 3,
  kBt2020Wide = 4,
  kBt2020Narrow = 5,
};
constexpr uint32_t kColorStandards = 6;

using Color = std::array<uint8_t, 3>;

Color to_rgb(const Color& yuv, ColorStandard standard);
Color to_yuv(const Color& rgb, ColorStandard standard);
// REQUIRES: the planes are of YUV or RGB, and U and V have a sample for every pixel.
void convert(Planes& planes, ColorFamily to, ColorStandard standard);

}  // namespace opkit::image

#endif  // OPKIT_ACL_MEDIA_IMAGE_COLOR_H_
