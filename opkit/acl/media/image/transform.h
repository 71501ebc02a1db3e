// Transform: from a region of one picture to a region of another: cropped, resized, converted, with
// a border around it. Every call of the vendor's VPC is one or several.
#ifndef OPKIT_ACL_MEDIA_IMAGE_TRANSFORM_H_
#define OPKIT_ACL_MEDIA_IMAGE_TRANSFORM_H_

#include <optional>

#include "opkit/acl/media/image/color.h"
#include "opkit/acl/media/image/resize.h"

namespace opkit::image {

enum class BorderType : uint8_t { kConstant, kReplicate, kReflect, kReflect101 };

// Returns the place of the image that a place outside repeats. REQUIRES: the type is not kConstant,
// or the place lies inside.
uint32_t border_place(int64_t place, int64_t size, BorderType type);

// Pixels on each side; `color` fills a constant border and is of the output's family, or of RGB
// where the input is.
struct Border {
  uint32_t left = 0, top = 0, right = 0, bottom = 0;
  BorderType type = BorderType::kConstant;
  Color color = {};
};

struct Transform {
  Picture from, to;
  Region crop;   // lies in `from`
  Region paste;  // lies in `to` and includes the border
  Filter filter = Filter::kBilinear;
  ColorStandard standard = ColorStandard::kBt601Wide;
  std::optional<Border> border = {};
};

// Planes of so many pixels in the layout's family and subsampling. U and V of a gray source are
// 128; a source of another family is resized first and converted then.
Planes fitted(Planes planes, const PixelLayout& layout, uint32_t width, uint32_t height,
              Filter filter, ColorStandard standard);

// Runs the transform; both pictures may lie in the same memory. REQUIRES: crop and paste lie in
// their pictures and are not empty, sides of the border are multiples of the output's subsampling
// and leave room.
void run(const Transform& transform);

}  // namespace opkit::image

#endif  // OPKIT_ACL_MEDIA_IMAGE_TRANSFORM_H_
