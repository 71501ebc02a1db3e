// Arithmetic with broadcasting. Floats in double; integers exactly, modulo 2^bits; integer division
// truncates toward zero; division of integers by zero is an error.
#include <cmath>
#include <limits>

#include "opkit/reference/elementwise.h"
#include "opkit/reference/families.h"

namespace opkit::reference {
namespace {

Error division_by_zero(const OperatorCall& call) {
  return call.error(kUndefinedResult, "integer division by zero", "give non-zero divisors");
}

// Float elements go through real(a, b), integer ones through whole(a, b).
template <typename Real, typename Whole>
Result<RefTensor> arithmetic(const OperatorCall& call, const RefTensor& a, const RefTensor& b,
                             Real real, Whole whole) {
  return combine(call, a, b, a.dtype, [&](double x, double y) -> Result<double> {
    if (is_float(a.dtype)) return real(x, y);
    return whole(static_cast<Wide>(x), static_cast<Wide>(y));
  });
}

// Shapes the second operand. Before version 7 an axis says where its dims lie in the first
// operand's.
Result<Shape> second_shape(const OperatorCall& call) {
  Shape b = call.input(1).shape;
  const size_t rank = call.input(0).shape.rank();
  if (!call.has_attribute("axis")) return b;
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), rank));
  if (axis + b.rank() > rank) {
    return call.shape_error("input 1 of shape " + b.to_string() + " does not fit from axis " +
                            std::to_string(axis));
  }
  b.dims().resize(rank - axis, 1);
  return b;
}

Result<RefTensor> second_operand(const OperatorCall& call) {
  RefTensor b = call.input(1);
  OPKIT_TRY(b.shape, second_shape(call));
  return b;
}

template <typename Real, typename Whole>
Result<Outputs> binary(const OperatorCall& call, Real real, Whole whole) {
  OPKIT_TRY(const RefTensor b, second_operand(call));
  return only(arithmetic(call, call.input(0), b, real, [&](Wide x, Wide y) -> Result<double> {
    return call.integer_result(call.input(0).dtype, whole(x, y));
  }));
}

Result<Outputs> add(const OperatorCall& call) {
  return binary(
      call, [](double a, double b) { return a + b; }, [](Wide a, Wide b) { return a + b; });
}

Result<Outputs> subtract(const OperatorCall& call) {
  return binary(
      call, [](double a, double b) { return a - b; }, [](Wide a, Wide b) { return a - b; });
}

Result<Outputs> multiply(const OperatorCall& call) {
  return binary(
      call, [](double a, double b) { return a * b; }, [](Wide a, Wide b) { return a * b; });
}

Result<Outputs> divide(const OperatorCall& call) {
  OPKIT_TRY(const RefTensor divisor, second_operand(call));
  const DType dtype = call.input(0).dtype;
  return only(arithmetic(
      call, call.input(0), divisor, [](double a, double b) { return a / b; },
      [&](Wide a, Wide b) -> Result<double> {
        if (b == 0) return division_by_zero(call);
        return call.integer_result(dtype, a / b);
      }));
}

// Evaluates Mod: fmod=1 gives the sign of the dividend, fmod=0 (integers only) that of the divisor.
Result<Outputs> modulo(const OperatorCall& call) {
  const bool truncating = call.integer("fmod") != 0;
  const DType dtype = call.input(0).dtype;
  return only(arithmetic(
      call, call.input(0), call.input(1), [](double a, double b) { return std::fmod(a, b); },
      [&](Wide a, Wide b) -> Result<double> {
        if (b == 0) return division_by_zero(call);
        const Wide remainder = a % b;
        const bool adjust = !truncating && remainder != 0 && (remainder < 0) != (b < 0);
        return call.integer_result(dtype, adjust ? remainder + b : remainder);
      }));
}

__extension__ typedef unsigned __int128 UnsignedWide;

// base^exponent modulo 2^64, which keeps every bit that an integer dtype has.
Wide integer_power(Wide base, Wide exponent) {
  constexpr UnsignedWide kMask = (UnsignedWide{1} << 64) - 1;
  UnsignedWide result = 1;
  UnsignedWide square = static_cast<UnsignedWide>(base) & kMask;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = (result * square) & kMask;
    square = (square * square) & kMask;
  }
  return static_cast<Wide>(result);
}

// The result has the type of the base. An integer base with a real or negative exponent: the real
// power, truncated toward zero.
Result<Outputs> power(const OperatorCall& call) {
  const RefTensor& base = call.input(0);
  const RefTensor& exponent = call.input(1);
  return only(combine(call, base, exponent, base.dtype, [&](double x, double y) -> Result<double> {
    if (is_float(base.dtype)) return std::pow(x, y);
    if (is_integer(exponent.dtype) && y >= 0) {
      return call.integer_result(base.dtype,
                                 integer_power(static_cast<Wide>(x), static_cast<Wide>(y)));
    }
    const double real = std::trunc(std::pow(x, y));
    if (std::abs(real) <= kMaxExactInteger) {
      return call.integer_result(base.dtype, static_cast<Wide>(real));
    }
    return call.error(kUndefinedResult, "an integer power that no integer holds",
                      "cast the base to a float type");
  }));
}

// A NaN operand gives NaN.
double smaller(double a, double b) { return std::isnan(a) || a < b ? a : b; }
double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }
double sum(double a, double b) { return a + b; }

Result<RefTensor> fold(const OperatorCall& call, double (*f)(double, double)) {
  RefTensor result = call.input(0);
  for (size_t i = 1; i < call.input_count(); ++i) {
    OPKIT_TRY(result, combine(call, result, call.input(i), result.dtype,
                              [&](double a, double b) -> Result<double> { return f(a, b); }));
  }
  return result;
}

Result<Outputs> minimum(const OperatorCall& call) { return only(fold(call, smaller)); }
Result<Outputs> maximum(const OperatorCall& call) { return only(fold(call, larger)); }

Result<Outputs> sum_of_inputs(const OperatorCall& call) { return only(fold(call, sum)); }

Result<Outputs> mean_of_inputs(const OperatorCall& call) {
  OPKIT_TRY(RefTensor total, fold(call, sum));
  const double count = static_cast<double>(call.input_count());
  return only(map_values(std::move(total), [&](double value) { return value / count; }));
}

// Integers negate and take magnitudes modulo 2^bits: the lowest integer stays what it is.
Result<Outputs> integer_map(const OperatorCall& call, Wide (*f)(Wide)) {
  RefTensor out = call.input(0);
  for (double& value : out.values) {
    OPKIT_TRY(value, call.integer_result(out.dtype, f(static_cast<Wide>(value))));
  }
  return only(std::move(out));
}

Result<Outputs> negate(const OperatorCall& call) {
  if (is_integer(call.input(0).dtype)) return integer_map(call, [](Wide v) { return -v; });
  return only(map_values(call.input(0), [](double v) { return -v; }));
}

Result<Outputs> magnitude(const OperatorCall& call) {
  if (is_integer(call.input(0).dtype))
    return integer_map(call, [](Wide v) { return v < 0 ? -v : v; });
  return only(map_values(call.input(0), [](double v) { return std::abs(v); }));
}

Result<Outputs> sign(const OperatorCall& call) {
  return only(map_values(call.input(0), [](double v) { return v > 0 ? 1.0 : v < 0 ? -1.0 : v; }));
}

Result<double> bound(const OperatorCall& call, size_t at, std::string_view key, double otherwise) {
  if (call.has_input(at)) return call.scalar_of(at);
  return call.number(key, otherwise);
}

// Clips; NaN stays NaN, with min above max every element becomes max. Bounds are inputs since
// version 11, before attributes whose defaults are (since version 6) binary32's largest numbers.
Result<Outputs> clip(const OperatorCall& call) {
  const bool limited = call.opset() >= 6 && call.opset() < 11;
  const double largest = limited ? std::numeric_limits<float>::max() : INFINITY;
  OPKIT_TRY(const double low, bound(call, 1, "min", -largest));
  OPKIT_TRY(const double high, bound(call, 2, "max", largest));
  return only(map_values(call.input(0), [&](double v) {
    const double raised = v < low ? low : v;
    return raised > high ? high : raised;
  }));
}

Result<Outputs> bit_shift(const OperatorCall& call) {
  const DType dtype = call.input(0).dtype;
  const std::string direction = call.text("direction");
  return only(combine(
      call, call.input(0), call.input(1), dtype, [&](double value, double by) -> Result<double> {
        if (by >= bits_of(dtype)) return 0.0;
        const Wide bits = static_cast<Wide>(value);
        const int count = static_cast<int>(by);
        return call.integer_result(dtype, direction == "LEFT" ? bits << count : bits >> count);
      }));
}

// On the two's complement bits.
Result<Outputs> bitwise(const OperatorCall& call, Wide (*f)(Wide, Wide)) {
  const DType dtype = call.input(0).dtype;
  return only(
      combine(call, call.input(0), call.input(1), dtype, [&](double a, double b) -> Result<double> {
        return call.integer_result(dtype, f(static_cast<Wide>(a), static_cast<Wide>(b)));
      }));
}

Result<Outputs> bitwise_and(const OperatorCall& call) {
  return bitwise(call, [](Wide a, Wide b) { return a & b; });
}
Result<Outputs> bitwise_or(const OperatorCall& call) {
  return bitwise(call, [](Wide a, Wide b) { return a | b; });
}
Result<Outputs> bitwise_xor(const OperatorCall& call) {
  return bitwise(call, [](Wide a, Wide b) { return a ^ b; });
}
Result<Outputs> bitwise_not(const OperatorCall& call) {
  return integer_map(call, [](Wide a) { return ~a; });
}

Result<Shapes> aligned_shape(const OperatorCall& call) {
  OPKIT_TRY(const Shape second, second_shape(call));
  const auto shape = broadcast_shape(call.input(0).shape, second);
  if (shape) return checked(call, *shape);
  return call.shape_error("shapes " + call.input(0).shape.to_string() + " and " +
                          second.to_string() + " do not broadcast");
}

Result<DTypes> modulo_type(const OperatorCall& call) {
  OPKIT_CHECK(call.require_same_dtype());
  if (is_float(call.input(0).dtype) && call.integer("fmod") == 0)
    return call.attribute_error("fmod must be 1 for floating inputs");
  return number_type(call);
}

Result<DTypes> power_type(const OperatorCall& call) { return DTypes{call.input(0).dtype}; }

Result<Shapes> clip_shape(const OperatorCall& call) {
  for (size_t i = 1; i < call.input_count(); ++i) {
    if (call.has_input(i)) OPKIT_CHECK(call.require_one_element(i));
  }
  return first_shape(call);
}

Result<DTypes> shift_type(const OperatorCall& call) {
  OPKIT_CHECK(call.require_same_dtype());
  const DType dtype = call.input(0).dtype;
  if (!is_integer(dtype) || is_signed(dtype))
    return call.error(kBadDType, "only unsigned integers are shifted", "cast the inputs");
  const std::string direction = call.text("direction");
  if (direction == "LEFT" || direction == "RIGHT") return DTypes{dtype};
  return call.attribute_error("direction must be LEFT or RIGHT, not '" + direction + "'");
}

Result<DTypes> same_integer_type(const OperatorCall& call) {
  OPKIT_CHECK(call.require_same_dtype());
  OPKIT_CHECK(call.require_integer(0));
  return DTypes{call.input(0).dtype};
}

}  // namespace

Operators arithmetic_operators() {
  using enum Reach;
  const std::vector<AttributeSpec> aligned = {until(6, integer("axis")),
                                              until(6, integer("broadcast"))};
  const auto binary_row = [&](std::string_view name, Result<Outputs> (*f)(const OperatorCall&),
                              double ulps = 0) {
    return Operator{.name = name,
                    .least_inputs = 2,
                    .most_inputs = 2,
                    .attributes = aligned,
                    .evaluate = f,
                    .types = number_type,
                    .shapes = aligned_shape,
                    .reach = kElement,
                    .bound = Bound::arithmetic(ulps)};
  };
  const auto fold_row = [](std::string_view name, Result<Outputs> (*f)(const OperatorCall&),
                           auto types, Bound bound) {
    return Operator{.name = name,
                    .most_inputs = kAnyNumber,
                    .evaluate = f,
                    .types = types,
                    .shapes = broadcast_all,
                    .reach = kElement,
                    .bound = bound};
  };
  const auto pair_row = [](std::string_view name, AttributeSpecs attributes,
                           Result<Outputs> (*f)(const OperatorCall&), auto types,
                           Bound bound = Bound::certain()) {
    return Operator{.name = name,
                    .least_inputs = 2,
                    .most_inputs = 2,
                    .attributes = std::move(attributes),
                    .evaluate = f,
                    .types = types,
                    .shapes = broadcast_all,
                    .reach = kElement,
                    .bound = bound};
  };
  const auto unary_row = [](std::string_view name, Result<Outputs> (*f)(const OperatorCall&),
                            auto types, Bound bound) {
    return Operator{.name = name,
                    .evaluate = f,
                    .types = types,
                    .shapes = first_shape,
                    .reach = kElement,
                    .bound = bound};
  };
  const Bound folded = Bound::by(BoundRule::kFold, "correctly rounded");
  return {
      binary_row("Add", add),
      binary_row("Sub", subtract),
      binary_row("Mul", multiply),
      binary_row("Div", divide, 1),
      pair_row("Mod", {integer("fmod", 0)}, modulo, modulo_type),
      pair_row("Pow", {}, power, power_type, Bound::by(BoundRule::kPower, "allowed", 8)),
      fold_row("Min", minimum, same_type, Bound::moved()),
      fold_row("Max", maximum, same_type, Bound::moved()),
      fold_row("Sum", sum_of_inputs, same_float_type, folded),
      fold_row("Mean", mean_of_inputs, same_float_type, folded),
      unary_row("Neg", negate, signed_type, Bound::exactly_by(BoundRule::kNegate)),
      unary_row("Abs", magnitude, signed_type, Bound::exactly_by(BoundRule::kMagnitude)),
      unary_row("Sign", sign, first_type, Bound::stepped()),
      {.name = "Clip",
       .most_inputs = 3,
       .attributes = {number("min"), number("max")},
       .evaluate = clip,
       .types = same_type,
       .shapes = clip_shape,
       .reach = kElement,
       .bound = Bound::moved()},
      pair_row("BitShift", {required(text("direction"))}, bit_shift, shift_type),
      pair_row("BitwiseAnd", {}, bitwise_and, same_integer_type),
      pair_row("BitwiseOr", {}, bitwise_or, same_integer_type),
      pair_row("BitwiseXor", {}, bitwise_xor, same_integer_type),
      unary_row("BitwiseNot", bitwise_not, same_integer_type, Bound::certain()),
  };
}

}  // namespace opkit::reference
