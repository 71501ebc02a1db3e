// Pyramids and tables of values, on planes.
#ifndef OPKIT_ACL_MEDIA_IMAGE_PYRAMID_H_
#define OPKIT_ACL_MEDIA_IMAGE_PYRAMID_H_

#include "opkit/acl/media/image/transform.h"

namespace opkit::image {

// Weights of 5 x 5 neighbours, and what their sum is divided by, a power of 2.
struct PyramidFilter {
  std::array<std::array<int8_t, 5>, 5> weights;
  uint32_t divisor;
};

// Returns every second pixel of the filtered plane, from the first on. Sums are rounded to the
// nearest and clamped to a byte; two pixels outside are those of a border of that type, or `value`.
Plane halved(const Plane& plane, const PyramidFilter& filter, BorderType border, uint8_t value);

// Returns how many samples of each component have each value.
std::array<std::array<uint32_t, 256>, 3> histogram_of(const Planes& planes);

// table[component][value] in place of each sample.
void remap(Planes& planes, const std::array<std::array<uint8_t, 256>, 3>& table);

}  // namespace opkit::image

#endif  // OPKIT_ACL_MEDIA_IMAGE_PYRAMID_H_
