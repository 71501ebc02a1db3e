// What a step computes, as operations on lanes: the sequence that its row function has
// (opkit/core/rows), rounded alike.
#ifndef OPKIT_CORE_REPLAY_LOOP_MATH_H_
#define OPKIT_CORE_REPLAY_LOOP_MATH_H_

#include "opkit/core/replay/body_writer.h"
#include "opkit/core/replay/program.h"

namespace opkit::core {

// Lanes of a step's operands: integers for int32, floats for all else. kNoValue: the step
// has no such operand.
struct StepLanes {
  ValueId a = kNoValue, b = kNoValue, old = kNoValue;
};

// Tells whether the step is known here: its operation with its types, modes and scalar.
bool knows_step(const ProgramStep& s);

// Returns the 16 bits of floats rounded to bfloat16, to nearest even.
ValueId bfloat_of_lanes(ValueId x, BodyWriter& to);

// Returns the lanes of the result, before a half or bfloat16 is rounded. REQUIRES: knows_step(s).
ValueId lanes_of_step(const ProgramStep& s, const StepLanes& in, BodyWriter& to);

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_LOOP_MATH_H_
