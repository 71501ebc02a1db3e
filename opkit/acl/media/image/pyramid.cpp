#include "opkit/acl/media/image/pyramid.h"

#include <algorithm>
#include <cmath>

namespace opkit::image {
namespace {

constexpr int64_t kReach = 2;  // neighbours on each side

int sample_at(const Plane& plane, int64_t x, int64_t y, BorderType border, uint8_t value) {
  const bool outside = x < 0 || y < 0 || x >= plane.width || y >= plane.height;
  if (outside && border == BorderType::kConstant) return value;
  return plane.row(border_place(y, plane.height, border))[border_place(x, plane.width, border)];
}

uint8_t filtered(const Plane& plane, const PyramidFilter& filter, uint32_t x, uint32_t y,
                 BorderType border, uint8_t value) {
  int64_t sum = 0;
  for (uint32_t row = 0; row < 5; ++row)
    for (uint32_t column = 0; column < 5; ++column)
      sum += filter.weights[row][column] * sample_at(plane, int64_t{x} + column - kReach,
                                                     int64_t{y} + row - kReach, border, value);
  const auto mean = std::floor(static_cast<double>(sum) / filter.divisor + 0.5);
  return static_cast<uint8_t>(std::clamp(mean, 0.0, 255.0));
}

}  // namespace

Plane halved(const Plane& plane, const PyramidFilter& filter, BorderType border, uint8_t value) {
  Plane to(samples_of(plane.width, 2), samples_of(plane.height, 2));
  for (uint32_t y = 0; y < to.height; ++y)
    for (uint32_t x = 0; x < to.width; ++x)
      to.row(y)[x] = filtered(plane, filter, 2 * x, 2 * y, border, value);
  return to;
}

std::array<std::array<uint32_t, 256>, 3> histogram_of(const Planes& planes) {
  std::array<std::array<uint32_t, 256>, 3> counts = {};
  for (size_t i = 0; i < count_of(planes.family); ++i)
    for (const uint8_t sample : planes.planes[i].samples) ++counts[i][sample];
  return counts;
}

void remap(Planes& planes, const std::array<std::array<uint8_t, 256>, 3>& table) {
  for (size_t i = 0; i < count_of(planes.family); ++i)
    for (uint8_t& sample : planes.planes[i].samples) sample = table[i][sample];
}

}  // namespace opkit::image
