// Elements one after the other, as calls of the form with mask and repeats take them.
#ifndef OPS_SHARED_REPEATS_H_
#define OPS_SHARED_REPEATS_H_

#include "kernel_operator.h"

// Calls call(element, mask, repeats) for `count` floats: whole repeats, as many as a call has, and
// then the rest.
template <typename Call>
__aicore__ inline void EveryRun(uint32_t count, const Call& call) {
  constexpr uint32_t kRepeat = 64, kMostRepeats = 255;
  for (uint32_t at = 0; at < count;) {
    const uint32_t whole = (count - at) / kRepeat;
    const uint32_t repeats = whole < kMostRepeats ? whole : kMostRepeats;
    const uint32_t mask = repeats > 0 ? kRepeat : count - at, times = repeats > 0 ? repeats : 1;
    call(at, static_cast<uint64_t>(mask), static_cast<uint8_t>(times));
    at += times * mask;
  }
}

#endif  // OPS_SHARED_REPEATS_H_
