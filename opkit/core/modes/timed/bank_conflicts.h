// What operands that meet in a bank of UB cost a vector instruction.
#ifndef OPKIT_CORE_MODES_TIMED_BANK_CONFLICTS_H_
#define OPKIT_CORE_MODES_TIMED_BANK_CONFLICTS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "opkit/core/modes/timed.h"
#include "opkit/core/state/footprint.h"

namespace opkit::core::timed {

// Which 32-byte blocks of UB an operand touches; see Access.
struct BankOperand {
  uint32_t offset = 0;  // bytes from the start of UB
  uint32_t block_bytes = 0;
  uint32_t blocks = 0;
  uint32_t repeats = 0;
  int64_t block_pitch = 0, repeat_pitch = 0;  // bytes
  bool operator==(const BankOperand&) const = default;
};

struct BankOperands {
  BankOperand dst;
  std::array<BankOperand, 2> sources;
  uint32_t source_count = 0;
  bool operator==(const BankOperands&) const = default;
};

// Loops give the same few operands again and again, so the last answers are kept.
// REQUIRES: one chip, whose rates do not change.
class BankConflicts {
 public:
  // Per 1000 repeats, how many cycles the operands' banks need; 1000 for operands outside UB.
  // `ub` is where the core's UB starts.
  uint32_t factor(const TimingRates& rates, const uint8_t* ub, const Footprint& footprint);

 private:
  struct Known {
    BankOperands operands;
    uint32_t factor = 0;  // 0 = nothing is kept here
  };
  static constexpr size_t kKnown = 64;
  std::array<Known, kKnown> known_;
};

// Works the factor out from the blocks. Neighbouring blocks of UB lie in neighbouring groups of
// banks; a bank of a group follows when all groups have one.
uint32_t bank_factor(const TimingRates& rates, const BankOperands& operands);

}  // namespace opkit::core::timed

#endif  // OPKIT_CORE_MODES_TIMED_BANK_CONFLICTS_H_
