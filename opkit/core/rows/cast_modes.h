// Round modes of Cast (the vendor's RoundMode numbers) and the rows that work element by element.
#ifndef OPKIT_CORE_ROWS_CAST_MODES_H_
#define OPKIT_CORE_ROWS_CAST_MODES_H_

#include <limits>

#include "opkit/core/rows/rows.h"

namespace opkit::core {

enum : uint8_t {
  kCastNone = 0,
  kCastRint = 1,
  kCastFloor = 2,
  kCastCeil = 3,
  kCastRound = 4,
  kCastTrunc = 5,
  kCastOdd = 6
};

constexpr uint8_t kModeNone = 1;      // NONE alone: the conversion is exact
constexpr uint8_t kModesFive = 0x3e;  // RINT, FLOOR, CEIL, ROUND, TRUNC
constexpr uint8_t kModesSix = 0x3f;   // and NONE
constexpr uint8_t kModesAll = 0x7f;   // and ODD

// Any pair of types, through 64-bit integers and long double.
void plain_cast(uint32_t to, uint32_t from, void* dst, const void* src, const RowContext& context,
                size_t n);
Row find_plain_cast_row(uint32_t op, uint32_t dst, uint32_t src);

// dst[i] = src[i] rounded to nearest even.
void nearest_floats(float* dst, const int32_t* src, size_t n);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ROWS_CAST_MODES_H_
