#include "opkit/reference/inference.h"

#include "opkit/reference/index.h"

namespace opkit::reference {
namespace {

DTypes first_of(const OperatorCall& call) { return {call.input(0).dtype}; }

}  // namespace

Result<DTypes> first_type(const OperatorCall& call) { return first_of(call); }

Result<DTypes> same_type(const OperatorCall& call) {
  OPKIT_CHECK(call.require_same_dtype());
  return first_of(call);
}

Result<DTypes> number_type(const OperatorCall& call) {
  OPKIT_CHECK(call.require_same_dtype());
  if (call.input(0).dtype != DType::kBool) return first_of(call);
  return call.error(kBadDType, "bool has no arithmetic", "cast the inputs");
}

Result<DTypes> float_type(const OperatorCall& call) {
  OPKIT_CHECK(call.require_float(0));
  return first_of(call);
}

Result<DTypes> same_float_type(const OperatorCall& call) {
  OPKIT_CHECK(call.require_same_dtype());
  return float_type(call);
}

Result<DTypes> first_type_at_integers(const OperatorCall& call) {
  for (size_t i = 1; i < call.input_count(); ++i) {
    if (call.has_input(i)) OPKIT_CHECK(call.require_integer(i));
  }
  return first_of(call);
}

Result<DTypes> signed_type(const OperatorCall& call) {
  if (is_integer(call.input(0).dtype)) return first_of(call);
  return float_type(call);
}

Result<DTypes> truth_of_same_type(const OperatorCall& call) {
  OPKIT_CHECK(call.require_same_dtype());
  return DTypes{DType::kBool};
}

Result<Shapes> first_shape(const OperatorCall& call) { return one(call.input(0).shape); }

Result<Shapes> broadcast_all(const OperatorCall& call) {
  Shape shape = call.input(0).shape;
  for (size_t i = 1; i < call.input_count(); ++i) {
    if (!call.has_input(i))
      return call.error(kBadArity, "an absent input", "remove the empty name");
    const std::optional<Shape> joined = broadcast_shape(shape, call.input(i).shape);
    if (!joined) {
      return call.shape_error("shapes " + shape.to_string() + " and " +
                              call.input(i).shape.to_string() + " do not broadcast");
    }
    shape = *joined;
  }
  return checked(call, std::move(shape));
}

Result<Shapes> one(Shape shape) { return Shapes(std::vector<Shape>{std::move(shape)}); }

Result<Shapes> checked(const OperatorCall& call, Shape shape) {
  OPKIT_CHECK(call.check_size(shape));
  return one(std::move(shape));
}

}  // namespace opkit::reference
