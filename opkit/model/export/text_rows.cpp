#include "opkit/model/export/texts.h"

namespace opkit::model_export {

const char* const kRowLoops =
    R"source(// Softmax, normalization and reductions. Sums are carried in double.
#pragma once

#include "elements.h"

namespace loops {

// Along the middle one of three dims.
inline void softmax(int64_t outer, int64_t along, int64_t inner, bool log, const float* x,
                    float* y) {
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      const int64_t first = o * along * inner + i;
      float most = -kInfinity;
      for (int64_t a = 0; a < along; ++a) {
        const float v = x[first + a * inner];
        most = v > most || v != v ? v : most;
      }
      double sum = 0;
      for (int64_t a = 0; a < along; ++a) {
        const float v = std::exp(x[first + a * inner] - most);
        sum += v;
        y[first + a * inner] = v;
      }
      for (int64_t a = 0; a < along; ++a) {
        const int64_t at = first + a * inner;
        y[at] = static_cast<float>(log ? double{x[at]} - most - std::log(sum) : y[at] / sum);
      }
    }
  }
}

inline void layer_norm(int64_t outer, int64_t along, float epsilon, const float* x,
                       const float* scale, const float* bias, float* y) {
  const auto count = static_cast<double>(along);
  for (int64_t o = 0; o < outer; ++o, x += along, y += along) {
    double mean = 0, variance = 0;
    for (int64_t i = 0; i < along; ++i) mean += x[i];
    mean /= count;
    for (int64_t i = 0; i < along; ++i) variance += (x[i] - mean) * (x[i] - mean);
    const double factor = 1 / std::sqrt(variance / count + epsilon);
    for (int64_t i = 0; i < along; ++i)
      y[i] = static_cast<float>((x[i] - mean) * factor * scale[i] +
                                (bias == nullptr ? 0.0f : bias[i]));
  }
}

inline void batch_norm(int64_t outer, int64_t channels, int64_t inner, float epsilon,
                       const float* x, const float* scale, const float* shift, const float* mean,
                       const float* variance, float* y) {
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t c = 0; c < channels; ++c, x += inner, y += inner) {
      const double factor = scale[c] / std::sqrt(double{variance[c]} + epsilon);
      for (int64_t i = 0; i < inner; ++i)
        y[i] = static_cast<float>((double{x[i]} - mean[c]) * factor + shift[c]);
    }
  }
}

// The result is dense over the kept dims.
template <size_t Kept, size_t Gone, class Add, class Finish>
void reduce(const Dims<Kept>& kept, const Dims<Kept>& kept_steps, const Dims<Gone>& gone,
            const Dims<Gone>& gone_steps, double start, const float* x, float* y, Add add,
            Finish finish) {
  double count = 1;
  for (const int64_t dim : gone) count *= static_cast<double>(dim);
  for_rows<Kept, 1>(kept, {kept_steps}, [&](const std::array<int64_t, 1>& at) {
    for (int64_t i = 0; i < kept[Kept - 1]; ++i) {
      const float* const from = x + at[0] + i * kept_steps[Kept - 1];
      double sum = start;
      for_rows<Gone, 1>(gone, {gone_steps}, [&](const std::array<int64_t, 1>& row) {
        for (int64_t j = 0; j < gone[Gone - 1]; ++j)
          sum = add(sum, from[row[0] + j * gone_steps[Gone - 1]]);
      });
      *y++ = static_cast<float>(finish(sum, count));
    }
  });
}

inline void arg_extreme(int64_t outer, int64_t along, int64_t inner, bool largest, bool last,
                        const float* x, int64_t* y) {
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      int64_t best = 0;
      for (int64_t a = 1; a < along; ++a) {
        const float v = x[(o * along + a) * inner + i], known = x[(o * along + best) * inner + i];
        if ((largest ? v > known : v < known) || (last && v == known)) best = a;
      }
      *y++ = best;
    }
  }
}

}  // namespace loops
)source";

const char* const kHalves =
    R"source(// 16-bit floats: memory holds floats, which these round to what
// fewer bits hold.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace loops {

// Returns the nearest value with so many bits behind the first and no exponent below `least`, ties
// to even.
inline float rounded(float v, int bits, int least, float most) {
  if (v == 0 || !std::isfinite(v)) return v;
  int exponent = 0;
  std::frexp(v, &exponent);
  if (exponent < least) exponent = least;
  const float unit = std::ldexp(1.0f, exponent - bits - 1);
  const float result = std::nearbyint(v / unit) * unit;
  if (std::fabs(result) <= most) return std::copysign(result, v);
  return std::copysign(HUGE_VALF, v);
}
inline void round_float16(int64_t count, float* v) {
  for (int64_t i = 0; i < count; ++i) v[i] = rounded(v[i], 10, -13, 65504.0f);
}
inline void round_bfloat16(int64_t count, float* v) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits;
    std::memcpy(&bits, v + i, 4);
    if (v[i] != v[i]) continue;
    bits += 0x7fff + (bits >> 16 & 1);
    bits &= 0xffff0000;
    std::memcpy(v + i, &bits, 4);
  }
}

inline float from_half(uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  const float sign = half >> 15 ? -1.0f : 1.0f;
  if (exponent == 31) return fraction ? NAN : sign * HUGE_VALF;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
}
// REQUIRES: a value that float16 holds.
inline uint16_t to_half(float v) {
  const auto sign = static_cast<uint16_t>(std::signbit(v) ? 0x8000 : 0);
  if (v != v) return sign | 0x7e00;
  if (!std::isfinite(v)) return sign | 0x7c00;
  if (v == 0) return sign;
  int exponent = 0;
  std::frexp(v, &exponent);
  if (exponent < -13) return sign | static_cast<uint16_t>(std::ldexp(std::fabs(v), 24));
  const auto fraction = static_cast<int>(std::ldexp(std::fabs(v), 11 - exponent)) - 1024;
  return sign | static_cast<uint16_t>((exponent + 14) << 10 | fraction);
}

}  // namespace loops
)source";

}  // namespace opkit::model_export
