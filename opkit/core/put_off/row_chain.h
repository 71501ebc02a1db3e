// RowChain: element-wise instructions that have been issued but not yet computed. In Fast mode
// consecutive instructions over the same number of elements are run together, a few kilobytes at a
// time, so that what one writes is still in the host's first cache when the next reads it.
// Everything that could see the difference flushes first.
//
// Instructions with iterations take a strip of a tile's columns at a time. A strip that goes on
// where the one before ended only makes that one wider; when rows are complete, they join.
#ifndef OPKIT_CORE_PUT_OFF_ROW_CHAIN_H_
#define OPKIT_CORE_PUT_OFF_ROW_CHAIN_H_

#include <cstdint>

#include "opkit/core/put_off/row_step.h"

namespace opkit::core {

class RowChain {
 public:
  bool empty() const { return count_ == 0 && strip_.rows == 0; }
  // Issues a step over n elements, after computing what it cannot be run together with.
  void issue(const RowStep& step, uint64_t n);
  // The strip that waits to become wider; rows = 0: there is none. It comes behind every step.
  const RowStrip& strip() const { return strip_; }
  // Whether `next` goes on where strip() ended.
  bool goes_on(const RowStrip& next) const;
  void widen(uint32_t n) { strip_.n += n; }
  // free: its elements may be computed in any order. REQUIRES: there is no strip.
  void open(const RowStrip& strip, bool free);
  // The strip's rows are complete: complete() makes it a step.
  bool is_complete() const { return strip_.rows != 0 && strip_is_free_ && strip_.is_dense(); }
  void complete();
  // Whether the step can join: the same n, and every operand that it shares with an earlier step
  // starts at the same place with the same element size, so that the order of chunks does not
  // matter.
  bool joins(const RowStep& step, uint64_t n) const;
  uint64_t elements() const { return n_; }
  // The step issued last. REQUIRES: there is one, and no strip behind it.
  RowStep& last() { return steps_[count_ - 1]; }
  // Lets the last step write `dst` in place of its own destination, which nobody else has used.
  // False: it cannot.
  bool redirect_last(uint8_t* dst);
  // Computes everything.
  void flush();
  // Forgets everything: the block has ended and nobody will read UB.
  void clear() { count_ = strip_.rows = 0; }

 private:
  static constexpr uint32_t kMaxSteps = 12;
  static constexpr uint64_t kChunk = 1024;  // elements

  void run(uint64_t from, uint64_t n);

  RowStep steps_[kMaxSteps];
  uint32_t count_ = 0;
  uint64_t n_ = 0;
  RowStrip strip_;
  bool strip_is_free_ = false;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_PUT_OFF_ROW_CHAIN_H_
