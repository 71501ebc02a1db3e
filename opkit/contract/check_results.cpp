// Whether expressions can have results, and ranges of values can hold one.
#include <fmt/format.h>

#include <cmath>

#include "opkit/contract/expr_results.h"
#include "opkit/contract/reader.h"
#include "opkit/contract/scope.h"

namespace opkit {
namespace {

// Returns a number's nearest integer in the direction of `rounded`; beyond 64 bits nothing is
// known.
Range range_of(const ValueBound& bound, const Scope& scope, double (*rounded)(double)) {
  if (const auto* number = std::get_if<double>(&bound)) {
    constexpr double kLimit = 9e18;
    if (!(*number > -kLimit && *number < kLimit)) return {};
    return Range::of(static_cast<int64_t>(rounded(*number)));
  }
  const auto range = std::get<Expr>(bound).evaluate(scope);
  return range.ok() ? *range : Range{};
}

const Location& where_of(const std::pair<ValueBound, ValueBound>& values, const Location& port) {
  for (const ValueBound* bound : {&values.first, &values.second}) {
    if (const auto* expression = std::get_if<Expr>(bound)) return expression->where();
  }
  return port;
}

}  // namespace

// Every part, also of what another part guards: nobody means to write it.
void ContractReader::check_results() {
  const Scope scope = open_scope(contract_);
  const auto check = [&](const Expr& expression) {
    accept(opkit::check_results(expression, scope));
  };
  for (const Constraint& constraint : contract_.where) check(constraint.rule);
  for (const std::vector<Port>* ports : {&contract_.inputs, &contract_.outputs}) {
    for (const Port& port : *ports) {
      for (const Expr& item : port.shape.items) check(item);
      if (port.count) check(*port.count);
      if (port.values) check_values(port, scope);
    }
  }
}

// Exchanged ends leave no value as soon as the symbols are large.
void ContractReader::check_values(const Port& port, const Scope& scope) {
  for (const ValueBound* bound : {&port.values->first, &port.values->second}) {
    const auto* expression = std::get_if<Expr>(bound);
    if (expression && !accept(opkit::check_results(*expression, scope))) return;
  }
  const Range lowest = range_of(port.values->first, scope, std::floor);
  const Range highest = range_of(port.values->second, scope, std::ceil);
  if (lowest == Range{} || lowest.hi <= highest.hi) return;
  fail(where_of(*port.values, port.where), "OPK-CONTRACT-044",
       fmt::format("the values of {} are an empty range: the lowest is {}, the highest {}",
                   port.name, lowest.to_string(), highest.to_string()),
       "put the lowest first");
}

}  // namespace opkit
