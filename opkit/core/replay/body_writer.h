// BodyWriter: adds values and steps to a loop's body.
#ifndef OPKIT_CORE_REPLAY_BODY_WRITER_H_
#define OPKIT_CORE_REPLAY_BODY_WRITER_H_

#include "opkit/core/replay/loop_body.h"

namespace opkit::core {

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

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_BODY_WRITER_H_
