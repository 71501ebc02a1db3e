// Functions of one real number, element by element.
#include <cmath>

#include "opkit/reference/elementwise.h"
#include "opkit/reference/operators.h"

namespace opkit::reference {
namespace {

template <double (*kFunction)(double)>
Result<Outputs> real_function(const Call& call) {
  OPKIT_CHECK(call.require_float(0));
  return only(map_values(call.input(0), [](double x) { return kFunction(x); }));
}

double reciprocal(double x) { return 1 / x; }
double round_half_even(double x) { return std::nearbyint(x); }

}  // namespace

Operators math_operators() {
  return {
      {"Sqrt", 1, 1, 1, {}, real_function<std::sqrt>},
      {"Exp", 1, 1, 1, {}, real_function<std::exp>},
      {"Log", 1, 1, 1, {}, real_function<std::log>},
      {"Reciprocal", 1, 1, 1, {}, real_function<reciprocal>},
      {"Floor", 1, 1, 1, {}, real_function<std::floor>},
      {"Ceil", 1, 1, 1, {}, real_function<std::ceil>},
      {"Round", 1, 1, 1, {}, real_function<round_half_even>},
      {"Erf", 1, 1, 1, {}, real_function<std::erf>},
      {"Sin", 1, 1, 1, {}, real_function<std::sin>},
      {"Cos", 1, 1, 1, {}, real_function<std::cos>},
      {"Tan", 1, 1, 1, {}, real_function<std::tan>},
      {"Asin", 1, 1, 1, {}, real_function<std::asin>},
      {"Acos", 1, 1, 1, {}, real_function<std::acos>},
      {"Atan", 1, 1, 1, {}, real_function<std::atan>},
      {"Sinh", 1, 1, 1, {}, real_function<std::sinh>},
      {"Cosh", 1, 1, 1, {}, real_function<std::cosh>},
      {"Asinh", 1, 1, 1, {}, real_function<std::asinh>},
      {"Acosh", 1, 1, 1, {}, real_function<std::acosh>},
      {"Atanh", 1, 1, 1, {}, real_function<std::atanh>},
      {"Tanh", 1, 1, 1, {}, real_function<std::tanh>},
  };
}

}  // namespace opkit::reference
