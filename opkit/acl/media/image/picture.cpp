#include "opkit/acl/media/image/picture.h"

namespace opkit::image {
namespace {

uint32_t rows_of_second_plane(const Picture& picture) {
  return samples_of(picture.height_stride, picture.layout->subsample_y);
}

uint32_t subsample_x(const PixelLayout& layout, size_t component) {
  return component == 0 ? 1 : layout.subsample_x;
}
uint32_t subsample_y(const PixelLayout& layout, size_t component) {
  return component == 0 ? 1 : layout.subsample_y;
}

// Returns the first sample of a row of a component; its neighbours are `step` bytes apart.
uint8_t* row_of(const Picture& picture, size_t component, uint32_t row) {
  const ComponentLayout& at = picture.layout->components[component];
  const uint64_t stride = picture.width_stride;
  if (at.plane == 0) return picture.data + row * stride + at.first;
  return picture.data + picture.height_stride * stride +
         row * stride * picture.layout->chroma_strides + at.first;
}

void clear_alpha(const Picture& picture, const Region& region) {
  const uint32_t step = picture.layout->row_bytes;
  for (uint32_t y = 0; y < region.height; ++y) {
    uint8_t* const row = picture.data + uint64_t{region.top + y} * picture.width_stride +
                         uint64_t{region.left} * step +
                         static_cast<uint32_t>(picture.layout->alpha);
    for (uint32_t x = 0; x < region.width; ++x) row[uint64_t{x} * step] = 0;
  }
}

}  // namespace

uint64_t bytes_of(const Picture& picture) {
  const uint64_t stride = picture.width_stride;
  return picture.height_stride * stride +
         rows_of_second_plane(picture) * stride * picture.layout->chroma_strides;
}

Planes load(const Picture& picture, const Region& region) {
  const PixelLayout& layout = *picture.layout;
  Planes planes{layout.family, layout.subsample_x, layout.subsample_y};
  for (size_t i = 0; i < count_of(layout.family); ++i) {
    const uint32_t sx = subsample_x(layout, i), sy = subsample_y(layout, i);
    Plane& plane = planes.planes[i] = {samples_of(region.width, sx), samples_of(region.height, sy)};
    const size_t step = layout.components[i].step;
    for (uint32_t y = 0; y < plane.height; ++y) {
      const uint8_t* const from = row_of(picture, i, region.top / sy + y) + region.left / sx * step;
      uint8_t* const to = plane.row(y);
      for (uint32_t x = 0; x < plane.width; ++x) to[x] = from[x * step];
    }
  }
  return planes;
}

void store(const Planes& planes, const Picture& picture, uint32_t left, uint32_t top) {
  const PixelLayout& layout = *picture.layout;
  for (size_t i = 0; i < count_of(layout.family); ++i) {
    const uint32_t sx = subsample_x(layout, i), sy = subsample_y(layout, i);
    const Plane& plane = planes.planes[i];
    const size_t step = layout.components[i].step;
    for (uint32_t y = 0; y < plane.height; ++y) {
      uint8_t* const to = row_of(picture, i, top / sy + y) + left / sx * step;
      const uint8_t* const from = plane.row(y);
      for (uint32_t x = 0; x < plane.width; ++x) to[x * step] = from[x];
    }
  }
  if (layout.alpha >= 0) clear_alpha(picture, {left, top, planes.width(), planes.height()});
}

}  // namespace opkit::image
