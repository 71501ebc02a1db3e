// Comparisons, logic and selection.
#include <cmath>

#include "opkit/reference/elementwise.h"
#include "opkit/reference/operators.h"

namespace opkit::reference {
namespace {

template <typename Predicate>
Result<Outputs> compare(const Call& call, Predicate predicate) {
  OPKIT_CHECK(call.require_same_dtype());
  return only(combine(call, call.input(0), call.input(1), DType::kBool,
                      [&](double a, double b) -> Result<double> { return predicate(a, b); }));
}

Status require_bool(const Call& call, size_t input) {
  if (call.input(input).dtype == DType::kBool) return {};
  return call.error(kBadDType, "input " + std::to_string(input) + " must be bool",
                    "cast the input");
}

template <typename Predicate>
Result<Outputs> connect(const Call& call, Predicate predicate) {
  OPKIT_CHECK(require_bool(call, 0));
  return compare(call, predicate);
}

Result<Outputs> equal(const Call& call) {
  return compare(call, [](double a, double b) { return a == b; });
}
Result<Outputs> greater(const Call& call) {
  return compare(call, [](double a, double b) { return a > b; });
}
Result<Outputs> greater_or_equal(const Call& call) {
  return compare(call, [](double a, double b) { return a >= b; });
}
Result<Outputs> less(const Call& call) {
  return compare(call, [](double a, double b) { return a < b; });
}
Result<Outputs> less_or_equal(const Call& call) {
  return compare(call, [](double a, double b) { return a <= b; });
}
Result<Outputs> logical_and(const Call& call) {
  return connect(call, [](double a, double b) { return a != 0 && b != 0; });
}
Result<Outputs> logical_or(const Call& call) {
  return connect(call, [](double a, double b) { return a != 0 || b != 0; });
}
Result<Outputs> logical_xor(const Call& call) {
  return connect(call, [](double a, double b) { return (a != 0) != (b != 0); });
}

Result<Outputs> logical_not(const Call& call) {
  OPKIT_CHECK(require_bool(call, 0));
  return only(map_values(call.input(0), [](double a) { return a == 0; }));
}

Result<Outputs> is_nan(const Call& call) {
  OPKIT_CHECK(call.require_float(0));
  RefTensor out = map_values(call.input(0), [](double a) { return std::isnan(a); });
  out.dtype = DType::kBool;
  return only(std::move(out));
}

Result<Outputs> is_infinite(const Call& call) {
  OPKIT_CHECK(call.require_float(0));
  const bool positive = call.integer("detect_positive", 1) != 0;
  const bool negative = call.integer("detect_negative", 1) != 0;
  RefTensor out = map_values(
      call.input(0), [&](double a) { return std::isinf(a) && (a > 0 ? positive : negative); });
  out.dtype = DType::kBool;
  return only(std::move(out));
}

// Three-way broadcasting: the condition first with x, the outcome with y.
Result<Outputs> where(const Call& call) {
  OPKIT_CHECK(require_bool(call, 0));
  const RefTensor& condition = call.input(0);
  const RefTensor& x = call.input(1);
  const RefTensor& y = call.input(2);
  if (x.dtype != y.dtype)
    return call.error(kBadDType, "inputs 1 and 2 differ in dtype", "cast one");
  const auto values = broadcast_shape(x.shape, y.shape);
  const auto shape = values ? broadcast_shape(condition.shape, *values) : std::nullopt;
  if (!shape) return call.shape_error("the three shapes do not broadcast");
  OPKIT_TRY(RefTensor out, call.make(x.dtype, *shape));
  int64_t position = 0;
  for_each_index(*shape, [&](const Index& index) {
    const RefTensor& chosen = condition[broadcast_offset(condition.shape, index)] != 0 ? x : y;
    out[position++] = chosen[broadcast_offset(chosen.shape, index)];
  });
  return only(std::move(out));
}

}  // namespace

Operators logic_operators() {
  using enum AttributeKind;
  return {
      {"Equal", 2, 2, 1, {}, equal},
      {"Greater", 2, 2, 1, {}, greater},
      {"GreaterOrEqual", 2, 2, 1, {}, greater_or_equal},
      {"Less", 2, 2, 1, {}, less},
      {"LessOrEqual", 2, 2, 1, {}, less_or_equal},
      {"And", 2, 2, 1, {}, logical_and},
      {"Or", 2, 2, 1, {}, logical_or},
      {"Xor", 2, 2, 1, {}, logical_xor},
      {"Not", 1, 1, 1, {}, logical_not},
      {"IsNaN", 1, 1, 1, {}, is_nan},
      {"IsInf",
       1,
       1,
       1,
       {{"detect_positive", kInteger}, {"detect_negative", kInteger}},
       is_infinite},
      {"Where", 3, 3, 1, {}, where},
  };
}

}  // namespace opkit::reference
