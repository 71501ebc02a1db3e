#include "opkit/model/export/texts.h"

namespace opkit::model_export {

const char* const kElementLoops = R"source(// Loops over elements.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace loops {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <size_t Rank>
using Dims = std::array<int64_t, Rank>;

// Calls row(offsets) at the beginning of each run along the last dim; one offset for each
// tensor.
template <size_t Rank, size_t Tensors, class Row>
void for_rows(const Dims<Rank>& dims, const std::array<Dims<Rank>, Tensors>& steps, Row row) {
  Dims<Rank> at{};
  std::array<int64_t, Tensors> offsets{};
  for (const int64_t dim : dims) {
    if (dim == 0) return;
  }
  for (;;) {
    row(offsets);
    size_t d = Rank - 1;
    for (; d > 0; --d) {
      for (size_t t = 0; t < Tensors; ++t) offsets[t] += steps[t][d - 1];
      if (++at[d - 1] < dims[d - 1]) break;
      for (size_t t = 0; t < Tensors; ++t) offsets[t] -= steps[t][d - 1] * dims[d - 1];
      at[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

template <class X, class Y, class F>
void unary(int64_t count, const X* x, Y* y, F f) {
  for (int64_t i = 0; i < count; ++i) y[i] = f(x[i]);
}

// The result is dense.
template <size_t Rank, class A, class B, class Y, class F>
void binary(const Dims<Rank>& dims, const Dims<Rank>& a_steps, const Dims<Rank>& b_steps,
            const A* a, const B* b, Y* y, F f) {
  const int64_t count = dims[Rank - 1], a_step = a_steps[Rank - 1], b_step = b_steps[Rank - 1];
  for_rows<Rank, 2>(dims, {a_steps, b_steps}, [&](const std::array<int64_t, 2>& at) {
    const A* const a_row = a + at[0];
    const B* const b_row = b + at[1];
    if (a_step == 1 && b_step == 1) {
      for (int64_t i = 0; i < count; ++i) y[i] = f(a_row[i], b_row[i]);
    } else if (a_step == 1 && b_step == 0) {
      const B one = b_row[0];
      for (int64_t i = 0; i < count; ++i) y[i] = f(a_row[i], one);
    } else {
      for (int64_t i = 0; i < count; ++i) y[i] = f(a_row[i * a_step], b_row[i * b_step]);
    }
    y += count;
  });
}

// The result is dense: x where the condition holds, else z.
template <size_t Rank, class T>
void choose(const Dims<Rank>& dims, const Dims<Rank>& c_steps, const Dims<Rank>& x_steps,
            const Dims<Rank>& z_steps, const bool* condition, const T* x, const T* z, T* y) {
  const int64_t count = dims[Rank - 1];
  for_rows<Rank, 3>(dims, {c_steps, x_steps, z_steps}, [&](const std::array<int64_t, 3>& at) {
    for (int64_t i = 0; i < count; ++i)
      y[i] = condition[at[0] + i * c_steps[Rank - 1]] ? x[at[1] + i * x_steps[Rank - 1]]
                                                      : z[at[2] + i * z_steps[Rank - 1]];
    y += count;
  });
}

template <size_t Rank, class T>
void copy(const Dims<Rank>& dims, const Dims<Rank>& from_steps, const Dims<Rank>& to_steps,
          const T* from, T* to) {
  const int64_t count = dims[Rank - 1], x = from_steps[Rank - 1], y = to_steps[Rank - 1];
  for_rows<Rank, 2>(dims, {from_steps, to_steps}, [&](const std::array<int64_t, 2>& at) {
    if (x == 1 && y == 1) {
      for (int64_t i = 0; i < count; ++i) to[at[1] + i] = from[at[0] + i];
    } else {
      for (int64_t i = 0; i < count; ++i) to[at[1] + i * y] = from[at[0] + i * x];
    }
  });
}

template <class T>
void fill(int64_t count, T value, T* y) {
  for (int64_t i = 0; i < count; ++i) y[i] = value;
}

// A NaN stays one.
inline float clip(float v, float low, float high) { return v < low ? low : v > high ? high : v; }
inline void clip_all(int64_t count, const float* x, float low, float high, float* y) {
  for (int64_t i = 0; i < count; ++i) y[i] = clip(x[i], low, high);
}

// A float beyond the integers of the type becomes the nearest of them, a NaN 0.
template <class To, class From>
To converted(From v) {
  if constexpr (std::is_same_v<To, bool>) {
    return v != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (v != v) return 0;
    if (v <= static_cast<From>(std::numeric_limits<To>::min()))
      return std::numeric_limits<To>::min();
    if (v >= static_cast<From>(std::numeric_limits<To>::max()))
      return std::numeric_limits<To>::max();
    return static_cast<To>(v);
  } else {
    return static_cast<To>(v);
  }
}

// Rounded to the nearest whole number, halves to the even one; what lies beyond the type is cut. A
// scale and a zero point for each of `count` places, which have `inner` elements each; without zero
// points they are 0.
template <class Y>
void quantize(int64_t outer, int64_t count, int64_t inner, const float* x, const float* scale,
              const Y* zero, Y* y) {
  for (int64_t o = 0; o < outer * count; ++o) {
    const float one = scale[o % count], shift = zero == nullptr ? 0.0f : float(zero[o % count]);
    for (int64_t i = 0; i < inner; ++i)
      y[o * inner + i] = converted<Y>(std::nearbyint(x[o * inner + i] / one) + shift);
  }
}
template <class X>
void dequantize(int64_t outer, int64_t count, int64_t inner, const X* x, const float* scale,
                const X* zero, float* y) {
  for (int64_t o = 0; o < outer * count; ++o) {
    const float one = scale[o % count], shift = zero == nullptr ? 0.0f : float(zero[o % count]);
    for (int64_t i = 0; i < inner; ++i)
      y[o * inner + i] = (static_cast<float>(x[o * inner + i]) - shift) * one;
  }
}

// Rows of `inner` elements of the `length` ones at each of `outer` places, as the indices
// say.
template <class T, class Index>
void gather(int64_t outer, int64_t length, int64_t inner, int64_t count, const T* x,
            const Index* indices, T* y) {
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t at = indices[i] < 0 ? indices[i] + length : indices[i];
      if (at < 0 || at >= length)
        throw std::out_of_range(
            "an index of Gather is out of "
            "range");
      const T* const row = x + (o * length + at) * inner;
      for (int64_t j = 0; j < inner; ++j) *y++ = row[j];
    }
  }
}

}  // namespace loops
)source";

}  // namespace opkit::model_export
