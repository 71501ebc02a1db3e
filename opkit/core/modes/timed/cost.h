// What one instruction costs its pipe, apart from waiting and from what GM and L2 add.
#ifndef OPKIT_CORE_MODES_TIMED_COST_H_
#define OPKIT_CORE_MODES_TIMED_COST_H_

#include <algorithm>

#include "opkit/core/modes/timed.h"
#include "opkit/core/modes/timed/bank_conflicts.h"
#include "opkit/core/state/core.h"

namespace opkit::core::timed {

struct VectorCost {
  uint64_t cycles = 0;           // head included
  uint64_t conflict_cycles = 0;  // counts the cycles of them that UB bank conflicts cost
  uint64_t elements = 0;
};

// `conflicts` keeps what was worked out for the operands of earlier instructions.
VectorCost vector_cost(const TimingRates& rates, const Core& core, const Footprint& footprint,
                       BankConflicts& conflicts);

// Tells whether the instruction reduces: its results arrive later than those of other vector
// instructions.
bool is_reduction(const opk_vector_v1& v);

struct MmadCost {
  uint64_t cycles = 0;      // without head
  uint64_t operations = 0;  // multiply-adds count two
};
MmadCost mmad_cost(const TimingRates& rates, const opk_mmad_v1& m);

// Cycles of so many bytes (or elements) at a rate per cycle.
inline uint64_t at_rate(uint64_t bytes, uint32_t rate) {
  return (bytes + rate - 1) / std::max(rate, 1u);
}
// Cycles as an event holds them.
inline uint32_t narrow(uint64_t cycles) {
  return static_cast<uint32_t>(std::min<uint64_t>(cycles, UINT32_MAX));
}
inline uint64_t fixpipe_cycles(const TimingRates& r, uint64_t elements, uint64_t bytes) {
  return r.fixpipe_head +
         std::max(at_rate(elements, r.fixpipe_elements), at_rate(bytes, r.fixpipe_bytes));
}

// Returns the bytes that an access touches.
uint64_t bytes_of(const Access& access);

}  // namespace opkit::core::timed

#endif  // OPKIT_CORE_MODES_TIMED_COST_H_
