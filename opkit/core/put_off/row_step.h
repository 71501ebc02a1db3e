// What an element-wise instruction computes: over one run of elements, or over rows that lie apart.
#ifndef OPKIT_CORE_PUT_OFF_ROW_STEP_H_
#define OPKIT_CORE_PUT_OFF_ROW_STEP_H_

#include <cstdint>

#include "opkit/core/put_off/strip_key.h"
#include "opkit/core/rows/rows.h"

namespace opkit::core {

struct RowStep {
  RowFn fn = nullptr;
  uint8_t* dst = nullptr;
  const uint8_t* a = nullptr;
  const uint8_t* b = nullptr;
  uint32_t dst_bytes = 0;  // is the size of an element
  uint32_t src_bytes = 0;  // is the size of an element of a and b
  RowContext context;
  int32_t saturate = -1;  // dtype whose results obey control bit 48, or -1
  uint16_t op = 0;        // opk_vector_op
  bool reads_dst = false;
  // Not 0: fn is a Row's `folded`. Every row of so many elements has one block of b, which lie
  // fold_pitch bytes apart.
  uint32_t fold_row = 0, fold_pitch = 0;

  // Computes the n elements from number `from` on.
  void run(uint64_t from, uint64_t n) const;
};

// A step over `rows` rows of n elements each: `step` says what becomes of the first; each following
// row lies the pitches behind the one before, in bytes.
struct RowStrip {
  RowStep step;
  uint32_t n = 0, rows = 0;
  uint32_t dst_pitch = 0, a_pitch = 0, b_pitch = 0;
  const uint8_t *ub_a = nullptr, *ub_b = nullptr;  // where the program has the sources
  bool folded = false;  // step.fn is a Row's `folded`: b is one block of every row
  // How many times dst takes up n further elements of b, which follow each other. More than once:
  // dst is a, too.
  uint32_t times = 1;
  StripKey key;

  // Bytes from the first element to behind the last, were every row as long as its pitch.
  uint64_t dst_extent() const { return extent(dst_pitch, n * step.dst_bytes); }
  uint64_t a_extent() const { return extent(a_pitch, n * step.src_bytes); }
  uint64_t b_extent() const { return extent(b_pitch, folded ? 32 : n * step.src_bytes); }

  // How far key's instructions move on.
  enum class Move : uint8_t { kNone, kWider, kOnto };
  // Returns what an instruction that fits the key makes of this: a wider strip, one that takes up
  // more of b, or nothing. width: elements of the instruction. REQUIRES: has_no_order().
  Move move_of(const opk_vector_v1& v, uint32_t width) const;
  // Computes row by row.
  void run() const;
  // Tells whether it does not matter in which order elements are computed.
  bool has_no_order() const;
  // Rows follow each other without gaps: as_step() over rows * n elements is the same.
  // REQUIRES: has_no_order().
  bool is_dense() const;
  RowStep as_step() const;

 private:
  uint64_t extent(uint32_t pitch, uint32_t bytes) const {
    return uint64_t{rows - 1} * pitch + (pitch > bytes ? pitch : bytes);
  }
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_PUT_OFF_ROW_STEP_H_
