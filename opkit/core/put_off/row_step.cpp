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
  for (uint32_t r = 0; r < rows; ++r, dst += dst_pitch, a += a_pitch, b += b_pitch) {
    for (uint32_t t = 0; t < times; ++t) run_piece(step, dst, a, b + t * n * step.src_bytes, n);
  }
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
  return times == 1 && dst_pitch == n * step.dst_bytes && a_pitch == bytes &&
         (folded || b_pitch == bytes);
}

RowStrip::Move RowStrip::move_of(const opk_vector_v1& v, uint32_t width) const {
  const auto at = [&](unsigned i) { return static_cast<const uint8_t*>(v.operand[i].address); };
  const uint32_t dst_on = n * step.dst_bytes, on = n * step.src_bytes;
  const uint32_t wider = (n + width) * step.src_bytes;
  const uint8_t* next_b = folded ? ub_b : ub_b + on;
  const unsigned last = key.operands - 1u;
  if (times == 1 && at(0) == step.dst + dst_on && at(1) == ub_a + on && at(last) == next_b) {
    const bool ends = dst_on + width * step.dst_bytes > dst_pitch || wider > a_pitch ||
                      (!folded && wider > b_pitch);
    return ends ? Move::kNone : Move::kWider;
  }
  const bool onto = key.operands == 3 && !folded && n == width && at(0) == step.dst &&
                    at(1) == step.dst && ub_a == step.dst && a_pitch == dst_pitch &&
                    at(2) == ub_b + times * on && (times + 1) * on <= b_pitch;
  return onto ? Move::kOnto : Move::kNone;
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
