#include "opkit/core/replay/body_writer.h"

#include <cstddef>

namespace opkit::core {

ValueId BodyWriter::value() {
  body_.values.push_back({});
  return static_cast<ValueId>(body_.values.size() - 1);
}

ValueId BodyWriter::bits(uint32_t bits) {
  for (size_t i = 0; i < body_.values.size(); ++i) {
    if (body_.values[i].constant && body_.values[i].bits == bits) return static_cast<ValueId>(i);
  }
  const ValueId made = value();
  body_.values[made] = {true, bits};
  return made;
}

ValueId BodyWriter::add(LaneOp op, ValueId a, ValueId b, uint8_t how) {
  const ValueId to = value();
  body_.steps.push_back({op, how, 0, to, a, b, kNoValue, kNoValue});
  return to;
}

ValueId BodyWriter::select(uint8_t predicate, ValueId a, ValueId b, ValueId then,
                           ValueId otherwise) {
  const ValueId to = value();
  body_.steps.push_back({LaneOp::kSelect, predicate, 0, to, a, b, then, otherwise});
  return to;
}

ValueId BodyWriter::load(uint16_t stream, bool at_row) {
  const ValueId to = value();
  LaneStep step;
  step.stream = stream;
  step.to = to;
  (at_row ? body_.at_row : body_.steps).push_back(step);
  return to;
}

void BodyWriter::store(uint16_t stream, ValueId value) {
  LaneStep step;
  step.op = LaneOp::kStore;
  step.stream = stream;
  step.a = value;
  body_.steps.push_back(step);
}

ValueId BodyWriter::tiny(ValueId normal, ValueId mantissa, ValueId exponent) {
  const ValueId to = value();
  body_.steps.push_back({LaneOp::kTiny, 0, 0, to, normal, mantissa, exponent, kNoValue});
  return to;
}

}  // namespace opkit::core
