// Rows: the arithmetic of element-wise instructions on contiguous elements. One function per
// operation and element types, compiled per SIMD target and chosen once per process.
//
// Results do not depend on the target: every operation is rounded by itself (no fused
// multiply-add), so that a launch gives the same bits on every host.
#ifndef OPKIT_CORE_ROWS_ROWS_H_
#define OPKIT_CORE_ROWS_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "opkit/abi/core.h"

namespace opkit::core {

// What a row needs besides its elements.
struct RowContext {
  uint64_t scalar[2] = {0, 0};  // bit patterns, as in opk_vector_v1
  uint8_t mode = 0;             // round mode of Cast
  uint8_t flags = 0;
  bool wrap_integers = false;    // conversions to integer keep the low bits instead of saturating
  bool saturate_halves = false;  // control bit 48 = 0, for results that another step reads
  float deq_scale = 1.0f;
};

// dst, a, b: n elements each, any alignment. A source that the operation does not read is any valid
// pointer. dst may equal a source.
using RowFn = void (*)(void* dst, const void* a, const void* b, const RowContext& context,
                       size_t n);

struct Row {
  RowFn fn = nullptr;
  RowFn folded = nullptr;  // fn with one block of 32 bytes as b, over and over; nullptr: none
  uint8_t sources = 0;
  bool reads_dst = false;
  bool saturates = false;      // half and bfloat16 results obey control bit 48
  uint8_t round_modes = 0xff;  // Cast: bit per permitted RoundMode
  uint8_t most_scalar = 0;     // not 0: scalar[0] is a number from 0 to this one
};

constexpr uint8_t kDTypes = 13;  // dense indices of the element types that UB can hold
// By opk_dtype; 0xff = no such type in UB.
inline constexpr uint8_t kDTypeIndex[32] = {
    0,    1,    2,    3,    4,    0xff, 5,    6,    7,    8,    9,    0xff, 10,   0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 11,   0xff, 12,   0xff, 0xff};
constexpr uint8_t dtype_index(uint32_t dtype) { return dtype < 32 ? kDTypeIndex[dtype] : 0xff; }

// Returns every row: by operation, and dense indices of the destination's type and the sources'.
std::vector<Row> all_rows();

// Returns the row of an operation, or one without a function when the types are not supported.
// `src` is the type of the sources (that of the destination for operations without one).
inline const Row& find_row(uint32_t op, uint32_t dst, uint32_t src) {
  static const std::vector<Row> rows = all_rows();
  static constexpr Row kNone;
  const uint32_t d = dtype_index(dst), s = dtype_index(src);
  if (op >= OPK_V_COUNT_ || d >= kDTypes || s >= kDTypes) [[unlikely]]
    return kNone;
  return rows[(op * kDTypes + d) * kDTypes + s];
}

// Control bit 48 = 0: inf becomes the largest finite value, NaN becomes 0, in place.
void saturate_row(uint32_t dtype, void* row, size_t n);

// Finders of the files that hold rows, for the best target of this host.
Row find_arith_row(uint32_t op, uint32_t dst, uint32_t src);
Row find_integer_row(uint32_t op, uint32_t dst, uint32_t src);
Row find_math_row(uint32_t op, uint32_t dst, uint32_t src);
Row find_special_row(uint32_t op, uint32_t dst, uint32_t src);
Row find_cast_row(uint32_t op, uint32_t dst, uint32_t src);
Row find_move_row(uint32_t op, uint32_t dst, uint32_t src);
Row find_joined_row(uint32_t op, uint32_t dst, uint32_t src);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ROWS_ROWS_H_
