// RowChain: element-wise instructions that have been issued but not yet computed. In Fast mode
// consecutive instructions over the same number of elements are run together, a few kilobytes at a
// time, so that what one writes is still in the host's first cache when the next reads it.
// Everything that could see the difference flushes first.
//
// Instructions with iterations take a strip of a tile's columns at a time. A strip that goes on
// where the one before ended only makes that one wider; when rows are complete, they join.
//
// Steps and strips are filled in where they stay: to copy what was just written field by field
// would cost as much as a short instruction's arithmetic.
#ifndef OPKIT_CORE_PUT_OFF_ROW_CHAIN_H_
#define OPKIT_CORE_PUT_OFF_ROW_CHAIN_H_

#include <cstdint>

#include "opkit/core/put_off/row_step.h"

namespace opkit::core {

class RowChain {
 public:
  bool empty() const { return count_ == 0 && !has_strip(); }

  // Returns a place for the next step; every field is for the caller to set.
  RowStep& next() { return steps_[count_]; }
  // Issues next() over n elements, after computing what it cannot be run together with.
  // REQUIRES: there is no strip.
  void issue_next(uint64_t n) {
    if (count_ == 0 || n != n_ || count_ == kMaxSteps || !knows_operands()) take_operands(n);
    ++count_;
  }
  // Tells whether next() could join: the same n, and every operand that it shares with an earlier
  // step starts at the same place with the same element size, so that the order of chunks does not
  // matter.
  bool next_joins(uint64_t n) const { return joins(next_step(), n); }
  uint64_t elements() const { return n_; }
  // Returns the step issued last. REQUIRES: there is one, and no strip behind it.
  RowStep& last() { return steps_[count_ - 1]; }
  // Lets the last step write `dst` in place of its own destination, which nobody else has used.
  // False: it cannot.
  bool redirect_last(uint8_t* dst);

  // The strip that waits to become wider, behind every step.
  bool has_strip() const { return strip_is_open_; }
  const RowStrip& strip() const { return strips_[strip_]; }
  // Returns a place for the next strip; every field is for the caller to set.
  RowStrip& next_strip() { return strips_[1 - strip_]; }
  // Tells whether next_strip() goes on where strip() ended.
  bool next_goes_on() const;
  void widen() { strips_[strip_].n += strips_[1 - strip_].n; }
  // Lets strip() take up what the instruction asks for. False: it does not go on with the strip.
  bool go_on(const opk_vector_v1& v, const opk_core& core);
  // next_strip() is the strip from now on. free: its elements may be computed in any order.
  // REQUIRES: there is none.
  void open_next(bool free);
  // The strip's rows are complete: complete() makes it a step.
  bool is_complete() const { return has_strip() && strip_is_free_ && strip().is_dense(); }
  void complete();

  // Computes everything.
  void flush();
  // Forgets everything: the block has ended and nobody will read UB.
  void clear() { count_ = spans_ = 0, strip_is_open_ = false; }

 private:
  static constexpr uint32_t kMaxSteps = 12;
  static constexpr uint64_t kChunk = 1024;  // elements

  // What steps read or write from one place on.
  struct Span {
    const uint8_t *begin, *end;
    uint32_t element;  // bytes; 0: folded blocks, which are in step with nothing else
    bool written;

    bool is_in_step_with(const Span& other) const {
      return begin == other.begin && element == other.element;
    }
    bool meets(const Span& other) const {
      return (written || other.written) && begin < other.end && other.begin < end &&
             !is_in_step_with(other);
    }
  };

  const RowStep& next_step() const { return steps_[count_]; }
  // Nothing of the span is new: it joins because an earlier one did.
  bool knows(const Span& span) const {
    for (uint32_t i = 0; i < spans_; ++i) {
      if (span_[i].is_in_step_with(span))
        return (span_[i].written || !span.written) && span.end <= span_[i].end;
    }
    return false;
  }
  // Tells whether it knows what next() touches. REQUIRES: it is over n_ elements.
  bool knows_operands() const;
  // Flushes unless next() joins; notes what it touches.
  void take_operands(uint64_t n);
  bool joins(const RowStep& step, uint64_t n) const;
  bool meets_none(const Span& span) const;
  void note(const Span& span);
  void note_operands(const RowStep& step);
  void run(uint64_t from, uint64_t n);

  RowStep steps_[kMaxSteps + 1];
  uint32_t count_ = 0;
  uint64_t n_ = 0;
  Span span_[3 * kMaxSteps];
  uint32_t spans_ = 0;
  RowStrip strips_[2];
  uint32_t strip_ = 0, width_ = 0;  // width_: elements of the strip's first instruction
  bool strip_is_open_ = false, strip_is_free_ = false;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_PUT_OFF_ROW_CHAIN_H_
