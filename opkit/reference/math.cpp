// Functions of one real number, element by element.
#include <cmath>

#include "opkit/reference/elementwise.h"
#include "opkit/reference/families.h"

namespace opkit::reference {
namespace {

template <double (*kFunction)(double)>
Result<Outputs> real_function(const OperatorCall& call) {
  return only(map_values(call.input(0), [](double x) { return kFunction(x); }));
}

double reciprocal(double x) { return 1 / x; }
double round_half_even(double x) { return std::nearbyint(x); }

}  // namespace

Operators math_operators() {
  using enum Reach;
  const auto row = [](std::string_view name, Result<Outputs> (*f)(const OperatorCall&),
                      Bound bound = {}) {
    return Operator{.name = name,
                    .evaluate = f,
                    .types = float_type,
                    .shapes = first_shape,
                    .reach = kElement,
                    .bound = bound};
  };
  return {
      row("Sqrt", real_function<std::sqrt>, Bound::rising(1, 0, "950")),
      row("Exp", real_function<std::exp>, Bound::rising(1, 0, "950")),
      row("Log", real_function<std::log>, Bound::rising(1, 0, "950")),
      row("Reciprocal", real_function<reciprocal>, Bound::by(BoundRule::kReciprocal, "allowed", 2)),
      row("Floor", real_function<std::floor>, Bound::stepped()),
      row("Ceil", real_function<std::ceil>, Bound::stepped()),
      row("Round", real_function<round_half_even>, Bound::stepped()),
      row("Erf", real_function<std::erf>, Bound::rising(4, 4)),
      row("Sin", real_function<std::sin>, Bound::smooth(1, 4, 4)),
      row("Cos", real_function<std::cos>, Bound::smooth(1, 4, 4)),
      row("Tan", real_function<std::tan>),
      row("Asin", real_function<std::asin>),
      row("Acos", real_function<std::acos>),
      row("Atan", real_function<std::atan>, Bound::rising(4, 0)),
      row("Sinh", real_function<std::sinh>, Bound::rising(4, 4)),
      row("Cosh", real_function<std::cosh>),
      row("Asinh", real_function<std::asinh>, Bound::rising(4, 4)),
      row("Acosh", real_function<std::acosh>),
      row("Atanh", real_function<std::atanh>),
      row("Tanh", real_function<std::tanh>, Bound::rising(4, 4)),
  };
}

}  // namespace opkit::reference
