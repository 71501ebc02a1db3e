#include "opkit/core/put_off/row_step.h"

#include <algorithm>

#include "opkit/core/put_off/spans.h"

namespace opkit::core {
namespace {

void run_piece(const RowStep& s, uint8_t* dst, const uint8_t* a, const uint8_t* b, uint64_t n) {
  s.fn(dst, a, b, s.context, n);
  if (s.saturate >= 0) saturate_row(static_cast<uint32_t>(s.saturate), dst, n);
}

}  // namespace

void RowStep::run(uint64_t from, uint64_t n) const {
  if (fold_row == 0) {
    return run_piece(*this, dst + from * dst_bytes, a + from * src_bytes, b + from * src_bytes, n);
  }
  for (const uint64_t end = from + n; from < end;) {
    const uint64_t row = from / fold_row, part = std::min((row + 1) * fold_row, end) - from;
    run_piece(*this, dst + from * dst_bytes, a + from * src_bytes, b + row * fold_pitch, part);
    from += part;
  }
}

void RowStrip::run() const {
  uint8_t* dst = step.dst;
  const uint8_t *a = step.a, *b = step.b;
  for (uint32_t r = 0; r < rows; ++r, dst += dst_pitch, a += a_pitch, b += b_pitch)
    run_piece(step, dst, a, b, n);
}

bool RowStrip::has_no_order() const {
  if (rows > 1 && dst_pitch < n * step.dst_bytes) return false;
  const bool alike = step.src_bytes == step.dst_bytes;
  const bool a_in_place = alike && ub_a == step.dst && a_pitch == dst_pitch;
  const bool b_in_place = alike && ub_b == step.dst && b_pitch == dst_pitch && !folded;
  return (a_in_place || !overlap(step.dst, dst_extent(), ub_a, a_extent())) &&
         (b_in_place || !overlap(step.dst, dst_extent(), ub_b, b_extent()));
}

bool RowStrip::is_dense() const {
  const uint32_t bytes = n * step.src_bytes;
  return dst_pitch == n * step.dst_bytes && a_pitch == bytes && (folded || b_pitch == bytes);
}

RowStep RowStrip::as_step() const {
  RowStep dense = step;
  if (folded) {
    dense.fold_row = n;
    dense.fold_pitch = b_pitch;
  }
  return dense;
}

}  // namespace opkit::core
