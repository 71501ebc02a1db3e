// Comparisons, logic and selection.
#include <cmath>

#include "opkit/reference/elementwise.h"
#include "opkit/reference/families.h"

namespace opkit::reference {
namespace {

template <typename Predicate>
Result<Outputs> compare(const OperatorCall& call, Predicate predicate) {
  return only(combine(call, call.input(0), call.input(1), DType::kBool,
                      [&](double a, double b) -> Result<double> { return predicate(a, b); }));
}

Status require_bool(const OperatorCall& call, size_t input) {
  if (call.input(input).dtype == DType::kBool) return {};
  return call.error(kBadDType, "input " + std::to_string(input) + " must be bool",
                    "cast the input");
}

Result<Outputs> equal(const OperatorCall& call) {
  return compare(call, [](double a, double b) { return a == b; });
}
Result<Outputs> greater(const OperatorCall& call) {
  return compare(call, [](double a, double b) { return a > b; });
}
Result<Outputs> greater_or_equal(const OperatorCall& call) {
  return compare(call, [](double a, double b) { return a >= b; });
}
Result<Outputs> less(const OperatorCall& call) {
  return compare(call, [](double a, double b) { return a < b; });
}
Result<Outputs> less_or_equal(const OperatorCall& call) {
  return compare(call, [](double a, double b) { return a <= b; });
}
Result<Outputs> logical_and(const OperatorCall& call) {
  return compare(call, [](double a, double b) { return a != 0 && b != 0; });
}
Result<Outputs> logical_or(const OperatorCall& call) {
  return compare(call, [](double a, double b) { return a != 0 || b != 0; });
}
Result<Outputs> logical_xor(const OperatorCall& call) {
  return compare(call, [](double a, double b) { return (a != 0) != (b != 0); });
}

Result<Outputs> logical_not(const OperatorCall& call) {
  return only(map_values(call.input(0), [](double a) { return a == 0; }));
}

Result<Outputs> is_nan(const OperatorCall& call) {
  RefTensor out = map_values(call.input(0), [](double a) { return std::isnan(a); });
  out.dtype = DType::kBool;
  return only(std::move(out));
}

Result<Outputs> is_infinite(const OperatorCall& call) {
  const bool positive = call.integer("detect_positive") != 0;
  const bool negative = call.integer("detect_negative") != 0;
  RefTensor out = map_values(
      call.input(0), [&](double a) { return std::isinf(a) && (a > 0 ? positive : negative); });
  out.dtype = DType::kBool;
  return only(std::move(out));
}

// Three-way broadcasting.
Result<Outputs> where(const OperatorCall& call) {
  const RefTensor& condition = call.input(0);
  const RefTensor& x = call.input(1);
  const RefTensor& y = call.input(2);
  OPKIT_TRY(RefTensor out, call.result());
  int64_t position = 0;
  for_each_index(out.shape, [&](const Index& index) {
    const RefTensor& chosen = condition[broadcast_offset(condition.shape, index)] != 0 ? x : y;
    out[position++] = chosen[broadcast_offset(chosen.shape, index)];
  });
  return only(std::move(out));
}

Result<DTypes> truth_of_bools(const OperatorCall& call) {
  OPKIT_CHECK(require_bool(call, 0));
  return truth_of_same_type(call);
}

Result<DTypes> truth_of_float(const OperatorCall& call) {
  OPKIT_CHECK(call.require_float(0));
  return DTypes{DType::kBool};
}

Result<DTypes> where_type(const OperatorCall& call) {
  OPKIT_CHECK(require_bool(call, 0));
  if (call.input(1).dtype == call.input(2).dtype) return DTypes{call.input(1).dtype};
  return call.error(kBadDType, "inputs 1 and 2 differ in dtype", "cast one");
}

Operator where_row() {
  return {.name = "Where",
          .least_inputs = 3,
          .most_inputs = 3,
          .evaluate = where,
          .types = where_type,
          .shapes = broadcast_all,
          .reach = Reach::kElement,
          .bound = Bound::exactly_by(BoundRule::kSelect)};
}

}  // namespace

Operators logic_operators() {
  using enum Reach;
  const auto row = [](std::string_view name, Result<Outputs> (*f)(const OperatorCall&),
                      auto types) {
    return Operator{.name = name,
                    .least_inputs = 2,
                    .most_inputs = 2,
                    .evaluate = f,
                    .types = types,
                    .shapes = broadcast_all,
                    .reach = kElement,
                    .bound = Bound::compared()};
  };
  const auto unary_row = [](std::string_view name, Result<Outputs> (*f)(const OperatorCall&),
                            auto types, AttributeSpecs attributes = {}) {
    return Operator{.name = name,
                    .attributes = std::move(attributes),
                    .evaluate = f,
                    .types = types,
                    .shapes = first_shape,
                    .reach = kElement,
                    .bound = Bound::compared()};
  };
  return {
      row("Equal", equal, truth_of_same_type),
      row("Greater", greater, truth_of_same_type),
      row("GreaterOrEqual", greater_or_equal, truth_of_same_type),
      row("Less", less, truth_of_same_type),
      row("LessOrEqual", less_or_equal, truth_of_same_type),
      row("And", logical_and, truth_of_bools),
      row("Or", logical_or, truth_of_bools),
      row("Xor", logical_xor, truth_of_bools),
      unary_row("Not", logical_not, truth_of_bools),
      unary_row("IsNaN", is_nan, truth_of_float),
      unary_row("IsInf", is_infinite, truth_of_float,
                {integer("detect_positive", 1), integer("detect_negative", 1)}),
      where_row(),
  };
}

}  // namespace opkit::reference
