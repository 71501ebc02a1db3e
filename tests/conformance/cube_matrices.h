// Matrices of the cube tests and the documented fractal layouts, as plain index formulas.
#ifndef TESTS_CONFORMANCE_CUBE_MATRICES_H_
#define TESTS_CONFORMANCE_CUBE_MATRICES_H_

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

// The start value first, then the products for k = 0, 1, 2 ...
template <typename C, typename T>
std::vector<C> product(const std::vector<T>& a, const std::vector<T>& b, uint32_t m, uint32_t n,
                       uint32_t k, const std::vector<C>& start = {}) {
  using Wide = std::conditional_t<std::is_integral_v<T>, int64_t, float>;
  std::vector<C> c(size_t{m} * n);
  for (uint32_t i = 0; i < m; ++i) {
    for (uint32_t j = 0; j < n; ++j) {
      Wide sum = start.empty()              ? Wide(0)
                 : start.size() == c.size() ? static_cast<Wide>(start[i * n + j])
                                            : static_cast<Wide>(start[j]);
      for (uint32_t x = 0; x < k; ++x) {
        const Wide p =
            static_cast<Wide>(a[size_t{i} * k + x]) * static_cast<Wide>(b[size_t{x} * n + j]);
        sum = sum + p;
      }
      c[i * n + j] = static_cast<C>(sum);
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
