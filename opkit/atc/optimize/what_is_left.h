// Why a cover takes longer than the model's bound: what its launches cannot do without, and what
// other ways of launching could gain at most. Private to this folder.
#ifndef OPKIT_ATC_OPTIMIZE_WHAT_IS_LEFT_H_
#define OPKIT_ATC_OPTIMIZE_WHAT_IS_LEFT_H_

#include <string>

#include "opkit/atc/compile/compiled.h"

namespace opkit::optimize {

struct WhatIsLeft {
  // Nanoseconds that no launches of these calls go below: each its weights from memory, its tensors
  // once at the fastest rate or its multiply-adds at the cube unit's peak, and a launch.
  uint64_t floor_ns = 0;
  size_t launches = 0;
  uint64_t starts_ns = 0;  // sums the starts of the launches and of the cores that they use
  size_t in_a_row = 0;     // launches of the longest chain in which each waits for the one before
  // As many of the largest starts as there are launches beside that chain: what merging launches
  // that do not wait for each other could gain.
  uint64_t beside_ns = 0;
  // What values between launches take more from the chip's memory, as each launch begins with L2
  // cold, than they would take from L2. Values larger than L2 count as parts of them would fit.
  uint64_t resident_ns = 0;
};

// REQUIRES: the model is covered. Errors: those of the chip's figures.
Result<WhatIsLeft> what_is_left(const compile::Compiled& compiled, const std::string& soc);

}  // namespace opkit::optimize

#endif  // OPKIT_ATC_OPTIMIZE_WHAT_IS_LEFT_H_
