// The larger or the smaller ones of int64, by masks of bits.
#ifndef ELEMENTWISE_BINARY_WIDE_EXTREME_H_
#define ELEMENTWISE_BINARY_WIDE_EXTREME_H_

#include "whole_order.h"

// x and y are overwritten.
template <bool kLargest>
struct WideExtreme {
  static constexpr uint32_t kParts = 7, kScratch = kParts * sizeof(int32_t);

  __aicore__ inline void operator()(const wide::Wide& z, const wide::Wide& x, const wide::Wide& y,
                                    const AscendC::LocalTensor<uint8_t>& scratch,
                                    uint32_t count) const {
    const wide::Parts parts(scratch, kParts);
    const wide::Words low = parts[0], high = parts[1], other_low = parts[2], other_high = parts[3],
                      chosen = parts[4], apart = parts[5], more = parts[6];
    wide::Split(low, high, x, count);
    wide::Split(other_low, other_high, y, count);
    if constexpr (kLargest) {
      whole::WideBelow(chosen, other_low, other_high, low, high, apart, more, count);
    } else {
      whole::WideBelow(chosen, low, high, other_low, other_high, apart, more, count);
    }
    AscendC::ShiftRight(chosen, chosen, wide::kSign, count);  // ones where x is the one
    Choose(low, other_low, chosen, more, count);
    Choose(high, other_high, chosen, more, count);
    wide::Join(z, low, high, x, count);
  }

 private:
  // a = a where the mask is ones, else b.
  __aicore__ static inline void Choose(const wide::Words& a, const wide::Words& b,
                                       const wide::Words& mask, const wide::Words& more,
                                       uint32_t count) {
    using namespace AscendC;
    const uint32_t halves = wide::kWordsOf * count;
    const LocalTensor<uint16_t> kept = wide::HalvesOf(a), others = wide::HalvesOf(b),
                                contrary = wide::HalvesOf(more);
    And(kept, kept, wide::HalvesOf(mask), halves);
    Not(contrary, wide::HalvesOf(mask), halves);
    And(others, others, contrary, halves);
    Or(kept, kept, others, halves);
  }
};

#endif  // ELEMENTWISE_BINARY_WIDE_EXTREME_H_
