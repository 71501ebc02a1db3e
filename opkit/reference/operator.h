// Operator: everything opkit knows of one ONNX operator, in one row. A row stands in the file of
// its family, beside the functions that it names; families.h lists the families.
#ifndef OPKIT_REFERENCE_OPERATOR_H_
#define OPKIT_REFERENCE_OPERATOR_H_

#include <string_view>
#include <vector>

#include "opkit/reference/attribute_spec.h"
#include "opkit/reference/bound.h"
#include "opkit/reference/call.h"
#include "opkit/reference/inference.h"

namespace opkit::reference {

inline constexpr size_t kAnyNumber = 1000000;

// What an element of a result depends on, when all operands have its shape or are scalars.
enum class Reach {
  kWhole,    // depends on any elements
  kElement,  // depends on the operands' elements at its place
  kRow,      // depends on the operands' elements along the axis (default: the last one)
};

// A row names what differs from one operand, one result and no attributes.
struct Operator {
  std::string_view name;
  size_t least_inputs = 1;  // these must be present; the others may be absent
  size_t most_inputs = 1;
  size_t most_outputs = 1;
  AttributeSpecs attributes = {};
  Result<Outputs> (*evaluate)(const OperatorCall&);
  // What is known of the results before they are computed. Both run before `evaluate`, with arity
  // and attributes checked; shapes only when the shape of every operand is known.
  Result<DTypes> (*types)(const OperatorCall&);
  Result<Shapes> (*shapes)(const OperatorCall&);
  Reach reach = Reach::kWhole;
  Bound bound = {};

  // Null when there is none of that name in that version.
  const AttributeSpec* attribute(std::string_view attribute_name, int opset) const;
};

using Operators = std::vector<Operator>;

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_OPERATOR_H_
