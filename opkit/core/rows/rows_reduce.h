// Sums by a tree of neighbours and extremes with their position, on dense rows of float and half.
#ifndef OPKIT_CORE_ROWS_ROWS_REDUCE_H_
#define OPKIT_CORE_ROWS_ROWS_REDUCE_H_

#include <cstddef>
#include <cstdint>

namespace opkit::core {

constexpr uint32_t kFoldRoom = 192;  // floats: one iteration and what SIMD reads beyond it

// values[i] = element i of a float or half row, n <= 128.
void load_floats(uint32_t dtype, const void* row, uint32_t n, float* values);

// `levels` times: values[i] = values[2i] + values[2i+1], n = number of values before. Each addition
// is rounded to `dtype`; with `saturate` half results stay finite.
void fold_sums(uint32_t dtype, float* values, uint32_t n, uint32_t levels, bool saturate);

// fold_sums() of 64 floats down to one.
float sum_of_64(const float* values);

// Rows of 64 floats, and of what their eight sums become; pitches in bytes.
struct PartRows {
  const uint8_t* from = nullptr;
  uint8_t* to = nullptr;
  int64_t from_pitch = 0, to_pitch = 0;
  uint32_t rows = 0;
};
// fold_sums() of each 8 floats down to one, row after row.
void sums_of_8(const PartRows& rows);
// extreme_of() each 8 floats.
void extremes_of_8(const PartRows& rows, bool largest);

// Returns the largest (smallest) of n values, 0 < n <= 64; the first NaN wins over everything. Of
// equal ones, the first.
float extreme_of(const float* values, uint32_t n, bool largest);

// Returns the position of the first largest (smallest) of n > 0 values; the first NaN wins over
// everything. values has room for 16 more, which are overwritten.
uint32_t first_extreme(float* values, uint32_t n, bool largest);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ROWS_ROWS_REDUCE_H_
