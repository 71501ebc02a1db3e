// GridSample: reading an image at given places, between its pixels.
#include <algorithm>
#include <cmath>

#include "opkit/reference/families.h"
#include "opkit/reference/index.h"

namespace opkit::reference {
namespace {

struct Modes {
  std::string interpolation, padding;
  bool align_corners = false;
};

// -1..1 to pixels: the centres of the corner pixels, or their outer edges.
double to_pixel(double place, double size, bool align_corners) {
  return align_corners ? (place + 1) / 2 * (size - 1) : ((place + 1) * size - 1) / 2;
}

// Mirrored at low and high until it lies between them.
double reflected(double x, double low, double high) {
  const double range = high - low;
  if (range <= 0) return low;
  const double within = std::fmod(std::abs(x - low), 2 * range);
  return low + (within <= range ? within : 2 * range - within);
}

double confined(double x, int64_t size, const Modes& modes) {
  const double last = static_cast<double>(size - 1);
  if (modes.padding == "border") return std::clamp(x, 0.0, last);
  if (modes.padding == "reflection") {
    const double edge = modes.align_corners ? 0 : 0.5;
    return std::clamp(reflected(x, -edge, last + edge), 0.0, last);
  }
  return x;
}

struct Plane {
  const RefTensor& image;
  int64_t start, height, width;
  const Modes& modes;

  // A pixel, which padding supplies when it lies outside.
  double at(double y, double x) const {
    y = confined(y, height, modes);
    x = confined(x, width, modes);
    const bool inside =
        y >= 0 && x >= 0 && y < static_cast<double>(height) && x < static_cast<double>(width);
    if (!inside) return 0;
    return image[start + static_cast<int64_t>(y) * width + static_cast<int64_t>(x)];
  }
};

double bilinear(const Plane& plane, double y, double x) {
  const double y0 = std::floor(y), x0 = std::floor(x), dy = y - y0, dx = x - x0;
  return (1 - dy) * ((1 - dx) * plane.at(y0, x0) + dx * plane.at(y0, x0 + 1)) +
         dy * ((1 - dx) * plane.at(y0 + 1, x0) + dx * plane.at(y0 + 1, x0 + 1));
}

// Keys' cubic convolution kernel with a = -0.75.
double cubic_weight(double t) {
  constexpr double kA = -0.75;
  t = std::abs(t);
  if (t <= 1) return ((kA + 2) * t - (kA + 3)) * t * t + 1;
  return t < 2 ? ((kA * t - 5 * kA) * t + 8 * kA) * t - 4 * kA : 0;
}

double bicubic(const Plane& plane, double y, double x) {
  const double y0 = std::floor(y), x0 = std::floor(x);
  double sum = 0;
  for (int i = -1; i <= 2; ++i) {
    for (int j = -1; j <= 2; ++j) {
      sum += cubic_weight(y - y0 - i) * cubic_weight(x - x0 - j) * plane.at(y0 + i, x0 + j);
    }
  }
  return sum;
}

double sampled(const Plane& plane, double y, double x) {
  if (plane.modes.interpolation == "nearest") {
    return plane.at(std::nearbyint(y), std::nearbyint(x));
  }
  return plane.modes.interpolation == "bilinear" ? bilinear(plane, y, x) : bicubic(plane, y, x);
}

Result<Modes> read_modes(const OperatorCall& call) {
  Modes modes{call.text("mode"), call.text("padding_mode"), call.integer("align_corners") != 0};
  if (modes.interpolation == "linear") modes.interpolation = "bilinear";  // version 20's names
  if (modes.interpolation == "cubic") modes.interpolation = "bicubic";
  if (modes.interpolation != "bilinear" && modes.interpolation != "nearest" &&
      modes.interpolation != "bicubic") {
    return call.attribute_error("mode '" + modes.interpolation + "' is unknown");
  }
  if (modes.padding != "zeros" && modes.padding != "border" && modes.padding != "reflection") {
    return call.attribute_error("padding_mode '" + modes.padding + "' is unknown");
  }
  return modes;
}

// x [N, C, H, W], grid [N, H', W', 2] of (x, y).
Result<Outputs> grid_sample(const OperatorCall& call) {
  const RefTensor &image = call.input(0), &grid = call.input(1);
  const Shape &in = image.shape, &at = grid.shape;
  OPKIT_TRY(const Modes modes, read_modes(call));
  OPKIT_TRY(RefTensor out, call.result());
  int64_t position = 0;
  for_each_index(out.shape, [&](const Index& index) {
    const int64_t place = offset_of(at, {index[0], index[2], index[3], 0});
    const double x = to_pixel(grid[place], static_cast<double>(in[3]), modes.align_corners);
    const double y = to_pixel(grid[place + 1], static_cast<double>(in[2]), modes.align_corners);
    const int64_t start = (index[0] * in[1] + index[1]) * in[2] * in[3];
    out[position++] = sampled({image, start, in[2], in[3], modes}, confined(y, in[2], modes),
                              confined(x, in[3], modes));
  });
  return only(std::move(out));
}

Result<Shapes> sampled_shape(const OperatorCall& call) {
  OPKIT_CHECK(call.require_rank(0, 4, 4));
  OPKIT_CHECK(call.require_rank(1, 4, 4));
  const Shape &in = call.input(0).shape, &at = call.input(1).shape;
  if (at[3] != 2 || at[0] != in[0] || in[2] * in[3] == 0)
    return call.shape_error("grid " + at.to_string() + " does not fit x " + in.to_string());
  OPKIT_TRY([[maybe_unused]] const Modes modes, read_modes(call));
  return checked(call, Shape{in[0], in[1], at[1], at[2]});
}

}  // namespace

Operators sample_operators() {
  return {{.name = "GridSample",
           .least_inputs = 2,
           .most_inputs = 2,
           .attributes = {text("mode", "bilinear"), text("padding_mode", "zeros"),
                          integer("align_corners", 0)},
           .evaluate = grid_sample,
           .types = float_type,
           .shapes = sampled_shape}};
}

}  // namespace opkit::reference
