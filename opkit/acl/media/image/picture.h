// Picture: pixels in somebody's memory. Planes: the same, each component by itself and dense, as
// what computes on pixels takes them.
#ifndef OPKIT_ACL_MEDIA_IMAGE_PICTURE_H_
#define OPKIT_ACL_MEDIA_IMAGE_PICTURE_H_

#include <array>
#include <cstddef>
#include <vector>

#include "opkit/acl/media/image/pixel_format.h"

namespace opkit::image {

struct Picture {
  const PixelLayout* layout = nullptr;
  uint32_t width = 0, height = 0;
  uint32_t width_stride = 0;   // bytes
  uint32_t height_stride = 0;  // rows
  uint8_t* data = nullptr;
};

// Returns the bytes that the picture's memory has at least.
uint64_t bytes_of(const Picture& picture);

// Pixels: left and top, width and height.
struct Region {
  uint32_t left = 0, top = 0, width = 0, height = 0;
};

struct Plane {
  Plane() = default;
  Plane(uint32_t width_, uint32_t height_, uint8_t value = 0)
      : width(width_), height(height_), samples(size_t{width_} * height_, value) {}
  const uint8_t* row(uint32_t y) const { return samples.data() + size_t{y} * width; }
  uint8_t* row(uint32_t y) { return samples.data() + size_t{y} * width; }

  uint32_t width = 0, height = 0;
  std::vector<uint8_t> samples;
};

struct Planes {
  uint32_t width() const { return planes[0].width; }
  uint32_t height() const { return planes[0].height; }

  ColorFamily family = ColorFamily::kGray;
  uint32_t subsample_x = 1, subsample_y = 1;
  std::array<Plane, 3> planes = {};  // hold samples; of a gray picture only the first one does
};

inline size_t count_of(ColorFamily family) { return family == ColorFamily::kGray ? 1 : 3; }

// Samples of a component along a dim of so many pixels.
inline uint32_t samples_of(uint32_t pixels, uint32_t subsample) {
  return (pixels + subsample - 1) / subsample;
}

// REQUIRES: the region lies in the picture.
Planes load(const Picture& picture, const Region& region);
// Alpha becomes 0. REQUIRES: the planes have the picture's family and subsampling, and fit.
void store(const Planes& planes, const Picture& picture, uint32_t left, uint32_t top);

}  // namespace opkit::image

#endif  // OPKIT_ACL_MEDIA_IMAGE_PICTURE_H_
