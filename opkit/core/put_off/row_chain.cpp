#include "opkit/core/put_off/row_chain.h"

#include <algorithm>

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
Span b_of(const RowStep& s, uint64_t n) { return {s.b, n * s.src_bytes, s.src_bytes}; }

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

void RowChain::run(uint64_t from, uint64_t n) {
  for (uint32_t i = 0; i < count_; ++i) {
    const RowStep& s = steps_[i];
    uint8_t* dst = s.dst + from * s.dst_bytes;
    s.fn(dst, s.a + from * s.src_bytes, s.b + from * s.src_bytes, s.context, n);
    if (s.saturate >= 0) saturate_row(static_cast<uint32_t>(s.saturate), dst, n);
  }
}

void RowChain::flush() {
  if (count_ == 1) {
    run(0, n_);
  } else {
    for (uint64_t from = 0; from < n_; from += kChunk) run(from, std::min(kChunk, n_ - from));
  }
  count_ = 0;
}

}  // namespace opkit::core
