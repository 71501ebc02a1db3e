// Resizing of planes, as OpenCV 3.4 computes INTER_LINEAR and INTER_NEAREST on bytes: the vendor's
// page of acldvppSetResizeConfigInterpolation names it as what results compare with.
#ifndef OPKIT_ACL_MEDIA_IMAGE_RESIZE_H_
#define OPKIT_ACL_MEDIA_IMAGE_RESIZE_H_

#include "opkit/acl/media/image/picture.h"

namespace opkit::image {

enum class Filter : uint8_t { kBilinear, kNearest };

// REQUIRES: neither has a dim of 0.
Plane resized(const Plane& plane, uint32_t width, uint32_t height, Filter filter);

}  // namespace opkit::image

#endif  // OPKIT_ACL_MEDIA_IMAGE_RESIZE_H_
