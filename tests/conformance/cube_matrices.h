// Matrices of the cube tests and the documented fractal layouts, as plain index formulas.
#ifndef TESTS_CONFORMANCE_CUBE_MATRICES_H_
#define TESTS_CONFORMANCE_CUBE_MATRICES_H_

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {

inline uint32_t up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

// Offsets in elements; rows and columns are rounded up to whole fractals.
inline size_t nz(uint32_t row, uint32_t col, uint32_t rows, uint32_t c0) {
  return (size_t{col / c0} * (up(rows, 16) / 16) + row / 16) * 16 * c0 + row % 16 * c0 + col % c0;
}
inline size_t zz(uint32_t row, uint32_t col, uint32_t columns, uint32_t c0) {
  return (size_t{row / 16} * (up(columns, c0) / c0) + col / c0) * 16 * c0 + row % 16 * c0 +
         col % c0;
}
inline size_t zn(uint32_t row, uint32_t col, uint32_t columns, uint32_t c0) {
  return (size_t{row / c0} * (up(columns, 16) / 16) + col / 16) * 16 * c0 + col % 16 * c0 +
         row % c0;
}

template <typename T>
constexpr uint32_t c0_of = 32 / sizeof(T);

template <typename T>
std::vector<T> noise(size_t n, uint32_t seed) {
  std::mt19937 engine(seed);
  std::vector<T> v(n);
  for (T& x : v) {
    if constexpr (std::is_integral_v<T>)
      x = static_cast<T>(engine());
    else
      x = T(static_cast<float>(static_cast<int>(engine() % 4001) - 2000) / 1000.0f);
  }
  return v;
}

// half and float: the start value first, then the products for k = 0, 1, 2 ..., one rounding each.
inline float sum_in_order(float start, const float* a, const float* b, size_t b_pitch, uint32_t k) {
  for (uint32_t x = 0; x < k; ++x) start = std::fma(a[x], b[x * b_pitch], start);
  return start;
}

// bfloat16: even and odd k of every 16 apart, from zero; then both to the sum.
inline float sum_of_pairs(float start, const float* a, const float* b, size_t b_pitch, uint32_t k) {
  for (uint32_t k0 = 0; k0 < k; k0 += 16) {
    float part[2] = {0.0f, 0.0f};
    for (uint32_t x = k0; x < k && x < k0 + 16; ++x)
      part[x % 2] = std::fma(a[x], b[x * b_pitch], part[x % 2]);
    start = start + (part[0] + part[1]);
  }
  return start;
}

// C = A * B + start, where start is empty, one row, or a matrix; in the documented order.
template <typename C, typename T>
std::vector<C> product(const std::vector<T>& a, const std::vector<T>& b, uint32_t m, uint32_t n,
                       uint32_t k, const std::vector<C>& start = {}) {
  std::vector<C> c(size_t{m} * n);
  const std::vector<float> left(a.begin(), a.end()), right(b.begin(), b.end());
  for (uint32_t i = 0; i < m; ++i) {
    for (uint32_t j = 0; j < n; ++j) {
      const C first = start.empty() ? C(0) : start.size() == c.size() ? start[i * n + j] : start[j];
      if constexpr (std::is_integral_v<T>) {
        int64_t sum = first;
        for (uint32_t x = 0; x < k; ++x)
          sum += static_cast<int64_t>(a[size_t{i} * k + x]) * b[size_t{x} * n + j];
        c[i * n + j] = static_cast<C>(sum);
      } else {
        const bool pairs = std::is_same_v<T, bfloat16_t>;
        c[i * n + j] = (pairs ? sum_of_pairs : sum_in_order)(first, left.data() + size_t{i} * k,
                                                             right.data() + j, n, k);
      }
    }
  }
  return c;
}

inline LaunchSetup on_cube_core() {
  LaunchSetup setup;
  setup.task_type = OPK_TASK_AIC_ONLY;
  return setup;
}

}  // namespace opkit::core::test

#endif  // TESTS_CONFORMANCE_CUBE_MATRICES_H_
