#include "opkit/core/put_off/row_chain.h"

#include <algorithm>
#include <cstring>

namespace opkit::core {
namespace {

struct Span {
  const uint8_t* start;
  uint64_t bytes;
  uint32_t element;
};

// Two spans may be walked chunk by chunk in turn: they do not meet, or they are the same elements.
bool in_step(const Span& x, const Span& y) {
  if (x.start == y.start && x.element == y.element) return true;
  return x.start >= y.start + y.bytes || y.start >= x.start + x.bytes;
}

Span dst_of(const RowStep& s, uint64_t n) { return {s.dst, n * s.dst_bytes, s.dst_bytes}; }
Span a_of(const RowStep& s, uint64_t n) { return {s.a, n * s.src_bytes, s.src_bytes}; }
// Folded blocks are in step with nothing that they meet.
Span b_of(const RowStep& s, uint64_t n) {
  if (s.fold_row == 0) return {s.b, n * s.src_bytes, s.src_bytes};
  return {s.b, (n / s.fold_row) * s.fold_pitch + 32, 0};
}

bool same_context(const RowContext& x, const RowContext& y) {
  return x.scalar[0] == y.scalar[0] && x.scalar[1] == y.scalar[1] && x.mode == y.mode &&
         x.flags == y.flags && x.wrap_integers == y.wrap_integers &&
         x.saturate_halves == y.saturate_halves && x.deq_scale == y.deq_scale;
}

bool compatible(const RowStep& earlier, const RowStep& later, uint64_t n) {
  const Span written = dst_of(earlier, n), writes = dst_of(later, n);
  return in_step(written, a_of(later, n)) && in_step(written, b_of(later, n)) &&
         in_step(written, writes) && in_step(a_of(earlier, n), writes) &&
         in_step(b_of(earlier, n), writes);
}

}  // namespace

bool RowChain::joins(const RowStep& step, uint64_t n) const {
  if (n != n_ || count_ == kMaxSteps) return false;
  for (uint32_t i = 0; i < count_; ++i) {
    if (!compatible(steps_[i], step, n)) return false;
  }
  return true;
}

bool RowChain::redirect_last(uint8_t* dst) {
  if (last().reads_dst) return false;
  RowStep moved = last();
  moved.dst = dst;
  --count_;
  const bool possible = count_ == 0 || joins(moved, n_);
  ++count_;
  if (possible) last() = moved;
  return possible;
}

void RowChain::issue(const RowStep& step, uint64_t n) {
  if (count_ != 0 && !joins(step, n)) flush();
  steps_[count_++] = step;
  n_ = n;
}

bool RowChain::goes_on(const RowStrip& next) const {
  const RowStrip& s = strip_;
  const uint32_t dst_on = s.n * s.step.dst_bytes, src_on = s.n * s.step.src_bytes;
  const uint32_t wider = (s.n + next.n) * s.step.src_bytes;
  return strip_is_free_ && s.rows == next.rows && next.step.dst == s.step.dst + dst_on &&
         next.ub_a == s.ub_a + src_on && next.ub_b == s.ub_b + (s.folded ? 0 : src_on) &&
         s.step.fn == next.step.fn && s.dst_pitch == next.dst_pitch && s.a_pitch == next.a_pitch &&
         s.b_pitch == next.b_pitch && s.folded == next.folded &&
         dst_on + next.n * s.step.dst_bytes <= s.dst_pitch && wider <= s.a_pitch &&
         (s.folded || wider <= s.b_pitch) && s.step.saturate == next.step.saturate &&
         same_context(s.step.context, next.step.context);
}

void RowChain::open(const RowStrip& strip, bool free) {
  strip_ = strip;
  strip_is_free_ = free;
}

void RowChain::complete() {
  const uint64_t n = uint64_t{strip_.rows} * strip_.n;
  strip_.rows = 0;
  issue(strip_.as_step(), n);
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
  count_ = 0;
  if (strip_.rows == 0) return;
  strip_.run();
  strip_.rows = 0;
}

}  // namespace opkit::core
