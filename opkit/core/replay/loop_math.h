// What a step computes, as operations on lanes: the sequence that its row function has
// (opkit/core/rows), rounded alike.
#ifndef OPKIT_CORE_REPLAY_LOOP_MATH_H_
#define OPKIT_CORE_REPLAY_LOOP_MATH_H_

#include "opkit/core/replay/loop_body.h"

namespace opkit::core {

// Adds values and steps to a body.
class BodyWriter {
 public:
  explicit BodyWriter(LoopBody& body) : body_(body) {}

  ValueId value();
  // Returns the constant with these bits in each lane.
  ValueId bits(uint32_t bits);
  ValueId number(float value) { return bits(__builtin_bit_cast(uint32_t, value)); }

  // Adds an operation, and returns its result.
  ValueId add(LaneOp op, ValueId a, ValueId b = kNoValue) { return add(op, a, b, 0); }
  ValueId add(LaneOp op, ValueId a, ValueId b, uint8_t how);
  ValueId select(uint8_t predicate, ValueId a, ValueId b, ValueId then, ValueId otherwise);
  ValueId load(uint16_t stream, bool at_row);
  void store(uint16_t stream, ValueId value);
  ValueId tiny(ValueId normal, ValueId mantissa, ValueId exponent);

 private:
  LoopBody& body_;
};

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
