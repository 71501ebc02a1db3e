#include "opkit/core/put_off/row_chain.h"

#include <algorithm>

namespace opkit::core {
namespace {

bool same_context(const RowContext& x, const RowContext& y) {
  return x.scalar[0] == y.scalar[0] && x.scalar[1] == y.scalar[1] && x.mode == y.mode &&
         x.flags == y.flags && x.wrap_integers == y.wrap_integers &&
         x.saturate_halves == y.saturate_halves && x.deq_scale == y.deq_scale;
}

uint64_t b_bytes(const RowStep& s, uint64_t n) {
  return s.fold_row == 0 ? n * s.src_bytes : n / s.fold_row * s.fold_pitch + 32;
}

}  // namespace

bool RowChain::meets_none(const Span& span) const {
  for (uint32_t i = 0; i < spans_; ++i) {
    if (span_[i].meets(span)) return false;
  }
  return true;
}

// Two spans may be walked chunk by chunk in turn: they do not meet, or they are the same elements.
bool RowChain::joins(const RowStep& s, uint64_t n) const {
  if (count_ == 0) return true;
  if (n != n_ || count_ == kMaxSteps) return false;
  if (!meets_none({s.dst, s.dst + n * s.dst_bytes, s.dst_bytes, true})) return false;
  if (!meets_none({s.a, s.a + n * s.src_bytes, s.src_bytes, false})) return false;
  return (s.b == s.a && s.fold_row == 0) ||
         meets_none({s.b, s.b + b_bytes(s, n), s.fold_row ? 0 : s.src_bytes, false});
}

void RowChain::note(const Span& span) {
  for (uint32_t i = 0; i < spans_; ++i) {
    if (!span_[i].is_in_step_with(span)) continue;
    span_[i].written |= span.written;
    span_[i].end = std::max(span_[i].end, span.end);
    return;
  }
  span_[spans_++] = span;
}

void RowChain::note_operands(const RowStep& s) {
  note({s.dst, s.dst + n_ * s.dst_bytes, s.dst_bytes, true});
  note({s.a, s.a + n_ * s.src_bytes, s.src_bytes, false});
  if (s.b != s.a || s.fold_row != 0)
    note({s.b, s.b + b_bytes(s, n_), s.fold_row ? 0 : s.src_bytes, false});
}

bool RowChain::knows_operands() const {
  const RowStep& s = next_step();
  return knows({s.dst, s.dst + n_ * s.dst_bytes, s.dst_bytes, true}) &&
         knows({s.a, s.a + n_ * s.src_bytes, s.src_bytes, false}) &&
         ((s.b == s.a && s.fold_row == 0) ||
          knows({s.b, s.b + b_bytes(s, n_), s.fold_row ? 0 : s.src_bytes, false}));
}

void RowChain::take_operands(uint64_t n) {
  if (!joins(next_step(), n)) {
    const uint32_t at = count_;
    flush();
    steps_[0] = steps_[at];
  }
  n_ = n;
  note_operands(next_step());
}

bool RowChain::redirect_last(uint8_t* dst) {
  if (last().reads_dst) return false;
  RowStep moved = last();
  moved.dst = dst;
  --count_;
  const bool possible = joins(moved, n_);
  ++count_;
  if (possible) last().dst = dst;
  return possible;
}

bool RowChain::next_goes_on() const {
  if (!strip_is_open_ || !strip_is_free_ || strip().times != 1) return false;
  const RowStrip &s = strip(), &next = strips_[1 - strip_];
  const uint32_t dst_on = s.n * s.step.dst_bytes, src_on = s.n * s.step.src_bytes;
  const uint32_t wider = (s.n + next.n) * s.step.src_bytes;
  return next.step.dst == s.step.dst + dst_on && s.rows == next.rows &&
         next.ub_a == s.ub_a + src_on && next.ub_b == s.ub_b + (s.folded ? 0 : src_on) &&
         s.step.fn == next.step.fn && s.dst_pitch == next.dst_pitch && s.a_pitch == next.a_pitch &&
         s.b_pitch == next.b_pitch && s.folded == next.folded &&
         dst_on + next.n * s.step.dst_bytes <= s.dst_pitch && wider <= s.a_pitch &&
         (s.folded || wider <= s.b_pitch) && s.step.saturate == next.step.saturate &&
         same_context(s.step.context, next.step.context);
}

bool RowChain::go_on(const opk_vector_v1& v, const opk_core& core) {
  RowStrip& s = strips_[strip_];
  if (!strip_is_open_ || !strip_is_free_ || !s.key.fits(v, core)) return false;
  switch (s.move_of(v, width_)) {
    case RowStrip::Move::kWider: return s.n += width_, true;
    case RowStrip::Move::kOnto: return ++s.times, true;
    default: return false;
  }
}

void RowChain::open_next(bool free) {
  strip_ = 1 - strip_;
  width_ = strip().n;
  strip_is_open_ = true;
  strip_is_free_ = free;
}

void RowChain::complete() {
  const RowStrip& s = strip();
  strip_is_open_ = false;
  next() = s.as_step();
  issue_next(uint64_t{s.rows} * s.n);
}

void RowChain::run(uint64_t from, uint64_t n) {
  for (uint32_t i = 0; i < count_; ++i) steps_[i].run(from, n);
}

void RowChain::flush() {
  if (count_ == 1) {
    run(0, n_);
  } else if (count_ != 0) {
    for (uint64_t from = 0; from < n_; from += kChunk) run(from, std::min(kChunk, n_ - from));
  }
  count_ = spans_ = 0;
  if (strip_is_open_) strip().run();
  strip_is_open_ = false;
}

}  // namespace opkit::core
