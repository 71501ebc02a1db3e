#include "opkit/acl/media/image/transform.h"

#include <algorithm>
#include <utility>

namespace opkit::image {
namespace {

constexpr uint8_t kNoColor = 128;  // stands in U and V where there is no color

Plane component(Planes& planes, size_t i, uint32_t width, uint32_t height, Filter filter) {
  if (i >= count_of(planes.family)) return {width, height, kNoColor};
  return resized(planes.planes[i], width, height, filter);
}

// Returns all components in so many pixels, U and V with so few samples.
Planes scaled(Planes planes, ColorFamily family, uint32_t width, uint32_t height, uint32_t x,
              uint32_t y, Filter filter) {
  Planes to{family, x, y};
  for (size_t i = 0; i < count_of(family); ++i) {
    const uint32_t w = i == 0 ? width : samples_of(width, x);
    const uint32_t h = i == 0 ? height : samples_of(height, y);
    to.planes[i] = component(planes, i, w, h, filter);
  }
  return to;
}

Plane bordered(const Plane& plane, const Border& border, uint32_t x, uint32_t y, uint8_t value) {
  const uint32_t left = border.left / x, top = border.top / y;
  Plane to(plane.width + left + border.right / x, plane.height + top + border.bottom / y, value);
  const bool constant = border.type == BorderType::kConstant;
  for (uint32_t row = 0; row < to.height; ++row) {
    const int64_t from_row = int64_t{row} - top;
    if (constant && (from_row < 0 || from_row >= plane.height)) continue;
    const uint8_t* const from =
        plane.row(constant ? static_cast<uint32_t>(from_row)
                           : border_place(from_row, plane.height, border.type));
    for (uint32_t column = 0; column < to.width; ++column) {
      const int64_t from_column = int64_t{column} - left;
      if (from_column >= 0 && from_column < plane.width)
        to.row(row)[column] = from[from_column];
      else if (!constant)
        to.row(row)[column] = from[border_place(from_column, plane.width, border.type)];
    }
  }
  return to;
}

Planes with_border(const Planes& planes, const Border& border, const Color& color) {
  Planes to{planes.family, planes.subsample_x, planes.subsample_y};
  for (size_t i = 0; i < count_of(planes.family); ++i) {
    const uint32_t x = i == 0 ? 1 : planes.subsample_x, y = i == 0 ? 1 : planes.subsample_y;
    to.planes[i] = bordered(planes.planes[i], border, x, y, color[i]);
  }
  return to;
}

Color color_of(const Transform& transform) {
  const bool from_rgb = transform.from.layout->family == ColorFamily::kRgb;
  const Color& color = transform.border->color;
  return from_rgb && transform.to.layout->family != ColorFamily::kRgb
             ? to_yuv(color, transform.standard)
             : color;
}

}  // namespace

uint32_t border_place(int64_t place, int64_t size, BorderType type) {
  if (type == BorderType::kReplicate)
    return static_cast<uint32_t>(std::clamp<int64_t>(place, 0, size - 1));
  if (size == 1) return 0;
  const int64_t edge = type == BorderType::kReflect ? 1 : 0;  // the outermost is repeated, too
  while (place < 0 || place >= size)
    place = place < 0 ? -place - edge : 2 * (size - 1) + edge - place;
  return static_cast<uint32_t>(place);
}

Planes fitted(Planes planes, const PixelLayout& layout, uint32_t width, uint32_t height,
              Filter filter, ColorStandard standard) {
  const bool from_rgb = planes.family == ColorFamily::kRgb;
  const bool to_rgb = layout.family == ColorFamily::kRgb;
  if (from_rgb != to_rgb) {
    const ColorFamily whole = from_rgb ? ColorFamily::kRgb : ColorFamily::kYuv;
    planes = scaled(std::move(planes), whole, width, height, 1, 1, filter);
    convert(planes, to_rgb ? ColorFamily::kRgb : ColorFamily::kYuv, standard);
    filter = Filter::kBilinear;  // U and V are means
  }
  return scaled(std::move(planes), layout.family, width, height, layout.subsample_x,
                layout.subsample_y, filter);
}

void run(const Transform& t) {
  const Border none;
  const Border& border = t.border ? *t.border : none;
  Planes planes =
      fitted(load(t.from, t.crop), *t.to.layout, t.paste.width - border.left - border.right,
             t.paste.height - border.top - border.bottom, t.filter, t.standard);
  if (t.border) planes = with_border(planes, border, color_of(t));
  store(planes, t.to, t.paste.left, t.paste.top);
}

}  // namespace opkit::image
