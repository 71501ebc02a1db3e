// RowChain: element-wise instructions that have been issued but not yet computed. In Fast mode
// consecutive instructions over the same number of elements are run together, a few kilobytes at a
// time, so that what one writes is still in the host's first cache when the next reads it.
// Everything that could see the difference flushes first.
#ifndef OPKIT_CORE_PUT_OFF_ROW_CHAIN_H_
#define OPKIT_CORE_PUT_OFF_ROW_CHAIN_H_

#include <cstdint>

#include "opkit/core/rows/rows.h"

namespace opkit::core {

struct RowStep {
  RowFn fn = nullptr;
  uint8_t* dst = nullptr;
  const uint8_t* a = nullptr;
  const uint8_t* b = nullptr;
  uint32_t dst_bytes = 0;  // per element
  uint32_t src_bytes = 0;  // per element of a and b
  RowContext context;
  int32_t saturate = -1;  // dtype whose results obey control bit 48, or -1
  uint16_t op = 0;        // opk_vector_op
  bool reads_dst = false;
};

class RowChain {
 public:
  bool empty() const { return count_ == 0; }
  // Issues a step over n elements, after computing what it cannot be run together with.
  void issue(const RowStep& step, uint64_t n);
  // Whether the step can join: the same n, and every operand that it shares with an earlier step
  // starts at the same place with the same element size, so that the order of chunks does not
  // matter.
  bool joins(const RowStep& step, uint64_t n) const;
  uint64_t elements() const { return n_; }
  // The step issued last. REQUIRES: !empty().
  RowStep& last() { return steps_[count_ - 1]; }
  // Lets the last step write `dst` in place of its own destination, which nobody else has used.
  // False: it cannot.
  bool redirect_last(uint8_t* dst);
  // Computes everything.
  void flush();
  // Forgets everything: the block has ended and nobody will read UB.
  void clear() { count_ = 0; }

 private:
  static constexpr uint32_t kMaxSteps = 12;
  static constexpr uint64_t kChunk = 1024;  // elements

  void run(uint64_t from, uint64_t n);

  RowStep steps_[kMaxSteps];
  uint32_t count_ = 0;
  uint64_t n_ = 0;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_PUT_OFF_ROW_CHAIN_H_
