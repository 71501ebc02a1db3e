// Cast and CastLike. To a float type: the nearest value, ties to even, whatever the precision mode.
// From float to integer: toward zero; ONNX leaves NaN and what lies outside the range undefined,
// here it is an error. Between integers: modulo 2^bits. To bool: whether it is not zero.
#include <cmath>

#include "opkit/reference/families.h"
#include "opkit/reference/types.h"

namespace opkit::reference {
namespace {

Result<double> converted(const OperatorCall& call, DType from, DType to, double value) {
  if (is_float(to)) return rounded_to(to, value);
  if (to == DType::kBool) return value != 0 ? 1.0 : 0.0;
  if (!is_float(from)) return call.integer_result(to, static_cast<Wide>(value));
  const double whole = std::trunc(value);
  const bool fits = std::abs(whole) <= kMaxExactInteger &&
                    static_cast<Wide>(whole) >= lowest_of(to) &&
                    static_cast<Wide>(whole) <= highest_of(to);
  if (fits) return whole + 0.0;
  return call.error(kUndefinedResult,
                    std::to_string(value) + " has no value in " + std::string(name_of(to)),
                    "clip the input before the cast");
}

Result<Outputs> cast(const OperatorCall& call) {
  const DType to = call.fact(0).dtype;
  RefTensor out = call.input(0);
  for (double& value : out.values) {
    OPKIT_TRY(value, converted(call, call.input(0).dtype, to, value));
  }
  out.dtype = to;
  return only(std::move(out));
}

Result<DTypes> cast_type(const OperatorCall& call) {
  OPKIT_TRY(const DType to, type_attribute(call, "to", DType::kFloat32));
  return DTypes{to};
}

Result<DTypes> second_type(const OperatorCall& call) { return DTypes{call.input(1).dtype}; }

}  // namespace

Operators cast_operators() {
  return {
      {.name = "Cast",
       .attributes = {required({"to", AttributeKind::kType}), integer("saturate")},
       .evaluate = cast,
       .types = cast_type,
       .shapes = first_shape,
       .reach = Reach::kElement,
       .bound = Bound::by(BoundRule::kCast, "correctly rounded")},
      {.name = "CastLike",
       .least_inputs = 2,
       .most_inputs = 2,
       .attributes = {integer("saturate")},
       .evaluate = cast,
       .types = second_type,
       .shapes = first_shape,
       .reach = Reach::kElement,
       .bound = Bound::by(BoundRule::kCast, "correctly rounded")},
  };
}

}  // namespace opkit::reference
