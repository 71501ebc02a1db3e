#include "opkit/acl/media/image/resize.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace opkit::image {
namespace {

constexpr int kWeightBits = 11;  // weights of 1/2048
constexpr int kOne = 1 << kWeightBits;

// The two samples that a new one lies between, and their weights.
struct Tap {
  uint32_t first = 0, second = 0;
  int first_weight = kOne, second_weight = 0;
};

// Centers of pixels lie at halves; outside of the samples the outermost goes on.
Tap tap_at(uint32_t place, double scale, uint32_t samples) {
  const auto center = static_cast<float>((place + 0.5) * scale - 0.5);
  const float whole = std::floor(center);
  if (whole < 0) return {0, 0};
  const auto first = static_cast<uint32_t>(whole);
  if (first + 1 >= samples) return {samples - 1, samples - 1};
  const float part = center - whole;
  return {first, first + 1, static_cast<int>(std::lrint((1.0f - part) * kOne)),
          static_cast<int>(std::lrint(part * kOne))};
}

std::vector<Tap> taps_of(uint32_t from, uint32_t to) {
  std::vector<Tap> taps(to);
  const double scale = static_cast<double>(from) / to;
  for (uint32_t i = 0; i < to; ++i) taps[i] = tap_at(i, scale, from);
  return taps;
}

// A row of the source in the new width, times 2048.
class WideRow {
 public:
  explicit WideRow(size_t width) : sums_(width) {}
  const int* of(const Plane& plane, const std::vector<Tap>& columns, uint32_t y) {
    if (row_ != y) fill(plane.row(y), columns);
    row_ = y;
    return sums_.data();
  }
  bool holds(uint32_t y) const { return row_ == y; }

 private:
  void fill(const uint8_t* from, const std::vector<Tap>& columns) {
    for (size_t x = 0; x < columns.size(); ++x) {
      const Tap& tap = columns[x];
      sums_[x] = from[tap.first] * tap.first_weight + from[tap.second] * tap.second_weight;
    }
  }

  int64_t row_ = -1;
  std::vector<int> sums_;
};

// Each product keeps 16 bits less, and the sum is rounded from quarters.
uint8_t blended(int above, int above_weight, int below, int below_weight) {
  const int quarters =
      (((above >> 4) * above_weight) >> 16) + (((below >> 4) * below_weight) >> 16);
  return static_cast<uint8_t>(std::clamp((quarters + 2) >> 2, 0, 255));
}

Plane bilinear(const Plane& plane, uint32_t width, uint32_t height) {
  const std::vector<Tap> columns = taps_of(plane.width, width),
                         rows = taps_of(plane.height, height);
  Plane to(width, height);
  WideRow above(width), below(width);
  for (uint32_t y = 0; y < height; ++y) {
    const Tap& tap = rows[y];
    if (below.holds(tap.first)) std::swap(above, below);
    const int* const a = above.of(plane, columns, tap.first);
    const int* const b = tap.second == tap.first ? a : below.of(plane, columns, tap.second);
    uint8_t* const row = to.row(y);
    for (uint32_t x = 0; x < width; ++x)
      row[x] = blended(a[x], tap.first_weight, b[x], tap.second_weight);
  }
  return to;
}

std::vector<uint32_t> nearest_of(uint32_t from, uint32_t to) {
  std::vector<uint32_t> places(to);
  const double scale = static_cast<double>(from) / to;
  for (uint32_t i = 0; i < to; ++i)
    places[i] = std::min(static_cast<uint32_t>(std::floor(i * scale)), from - 1);
  return places;
}

Plane nearest(const Plane& plane, uint32_t width, uint32_t height) {
  const std::vector<uint32_t> columns = nearest_of(plane.width, width),
                              rows = nearest_of(plane.height, height);
  Plane to(width, height);
  for (uint32_t y = 0; y < height; ++y) {
    const uint8_t* const from = plane.row(rows[y]);
    uint8_t* const row = to.row(y);
    for (uint32_t x = 0; x < width; ++x) row[x] = from[columns[x]];
  }
  return to;
}

}  // namespace

Plane resized(const Plane& plane, uint32_t width, uint32_t height, Filter filter) {
  if (plane.width == width && plane.height == height) return plane;
  return filter == Filter::kBilinear ? bilinear(plane, width, height)
                                     : nearest(plane, width, height);
}

}  // namespace opkit::image
