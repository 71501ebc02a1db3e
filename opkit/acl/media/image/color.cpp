#include "opkit/acl/media/image/color.h"

#include <algorithm>
#include <cmath>

namespace opkit::image {
namespace {

constexpr int kFractionBits = 16;

// out = (matrix * (in - in_bias)) / 65536 + out_bias, rounded to the nearest.
struct ColorMatrix {
  std::array<std::array<int, 3>, 3> factors;
  std::array<int, 3> in_bias, out_bias;
};

struct Weights {
  double red, blue;   // shares of Y; green has the rest
  double luma_range;  // spans the values of Y; chroma_range spans U and V
  double chroma_range;
  int floor;  // the least Y
};

Weights weights_of(ColorStandard standard) {
  constexpr std::array<std::array<double, 2>, 3> kShares = {
      {{0.299, 0.114}, {0.2126, 0.0722}, {0.2627, 0.0593}}};
  const auto number = static_cast<uint32_t>(standard);
  const auto& [red, blue] = kShares[number / 2];
  if (number % 2 == 0) return {red, blue, 255, 255, 0};
  return {red, blue, 219, 224, 16};
}

int fixed(double value) { return static_cast<int>(std::lrint(value * (1 << kFractionBits))); }

ColorMatrix matrix_to_rgb(ColorStandard standard) {
  const Weights w = weights_of(standard);
  const double green = 1 - w.red - w.blue;
  const double y = 255 / w.luma_range, c = 255 / w.chroma_range;
  const double v_to_red = 2 * (1 - w.red) * c, u_to_blue = 2 * (1 - w.blue) * c;
  return {{{{fixed(y), 0, fixed(v_to_red)},
            {fixed(y), fixed(-u_to_blue * w.blue / green), fixed(-v_to_red * w.red / green)},
            {fixed(y), fixed(u_to_blue), 0}}},
          {w.floor, 128, 128},
          {0, 0, 0}};
}

ColorMatrix matrix_to_yuv(ColorStandard standard) {
  const Weights w = weights_of(standard);
  const double green = 1 - w.red - w.blue;
  const double y = w.luma_range / 255, c = w.chroma_range / 255;
  const double to_u = c / (2 * (1 - w.blue)), to_v = c / (2 * (1 - w.red));
  return {{{{fixed(w.red * y), fixed(green * y), fixed(w.blue * y)},
            {fixed(-w.red * to_u), fixed(-green * to_u), fixed(c / 2)},
            {fixed(c / 2), fixed(-green * to_v), fixed(-w.blue * to_v)}}},
          {0, 0, 0},
          {w.floor, 128, 128}};
}

Color colored(const ColorMatrix& matrix, const Color& in) {
  Color out;
  for (size_t i = 0; i < 3; ++i) {
    int sum = 1 << (kFractionBits - 1);
    for (size_t j = 0; j < 3; ++j) sum += matrix.factors[i][j] * (in[j] - matrix.in_bias[j]);
    out[i] = static_cast<uint8_t>(std::clamp((sum >> kFractionBits) + matrix.out_bias[i], 0, 255));
  }
  return out;
}

}  // namespace

Color to_rgb(const Color& yuv, ColorStandard standard) {
  return colored(matrix_to_rgb(standard), yuv);
}

Color to_yuv(const Color& rgb, ColorStandard standard) {
  return colored(matrix_to_yuv(standard), rgb);
}

void convert(Planes& planes, ColorFamily to, ColorStandard standard) {
  const ColorMatrix matrix =
      to == ColorFamily::kRgb ? matrix_to_rgb(standard) : matrix_to_yuv(standard);
  auto& [a, b, c] = planes.planes;
  for (size_t i = 0; i < a.samples.size(); ++i) {
    const Color color = colored(matrix, {a.samples[i], b.samples[i], c.samples[i]});
    a.samples[i] = color[0], b.samples[i] = color[1], c.samples[i] = color[2];
  }
  planes.family = to;
}

}  // namespace opkit::image
