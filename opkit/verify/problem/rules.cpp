#include "opkit/verify/problem/rules.h"

#include <algorithm>

namespace opkit::verify {
namespace {

constexpr int64_t kLook = 4096;  // values that are tried for the first and the step

bool names(const Expr& expr, const std::string& symbol) {
  return std::any_of(expr.names().begin(), expr.names().end(),
                     [&](const Expr::Name& one) { return one.name == symbol; });
}

}  // namespace

ProblemRules::ProblemRules(const OpContract& contract)
    : contract_(contract), of_symbol_(contract.symbols.size()) {
  for (const Constraint& constraint : contract.where) add(constraint.rule);
  for (size_t i = 0; i < of_symbol_.size(); ++i) {
    if (contract.symbols[i].kind == Symbol::Kind::kDim) of_symbol_[i].steps = find_steps(i);
  }
}

int64_t ProblemRules::Steps::at_least(int64_t value) const {
  return value <= first ? first : first + (value - first + step - 1) / step * step;
}

// Tells whether a value may be, as far as the parts say that name nothing else.
bool ProblemRules::may_be(size_t symbol, int64_t value) const {
  const std::string& name = contract_.symbols[symbol].name;
  Scope scope;
  scope.quiet = true;
  scope.numbers[name] = Range::of(value);
  for (const size_t place : of_symbol_[symbol].parts) {
    const Expr& condition = parts_[place].condition;
    const bool alone = std::all_of(condition.names().begin(), condition.names().end(),
                                   [&](const Expr::Name& one) { return one.name == name; });
    if (!alone) continue;
    const auto truth = condition.evaluate(scope);
    if (!truth.ok() || truth->is_false()) return false;
  }
  return true;
}

// Three values at equal distances are taken for all.
ProblemRules::Steps ProblemRules::find_steps(size_t symbol) const {
  const Range& bounds = contract_.symbols[symbol].bounds;
  const int64_t least = std::max<int64_t>(bounds.lo, 1);
  std::vector<int64_t> found;
  for (int64_t i = 0; i < kLook && found.size() < 3 && bounds.contains(least + i); ++i) {
    if (may_be(symbol, least + i)) found.push_back(least + i);
  }
  if (found.empty()) return {least, 1};
  if (found.size() < 3 || found[2] - found[1] != found[1] - found[0]) return {found[0], 1};
  return {found[0], found[1] - found[0]};
}

SymbolSet ProblemRules::symbols_of(const Expr& expr) const {
  SymbolSet set = 0;
  for (size_t i = 0; i < contract_.symbols.size(); ++i) {
    if (names(expr, contract_.symbols[i].name)) set |= set_of(i);
  }
  return set;
}

// Part by part: each tells more exactly what it is about. A part that another one guards has no
// result only where the constraint has none, or does not hold.
void ProblemRules::add(const Expr& condition) {
  for (const Expr& part : condition.conjuncts()) {
    const SymbolSet about = symbols_of(part);
    for (size_t i = 0; i < of_symbol_.size(); ++i) {
      if (!names(part, contract_.symbols[i].name)) continue;
      of_symbol_[i].parts.push_back(parts_.size());
      of_symbol_[i].narrowed_by |= about & ~set_of(i);
    }
    parts_.push_back({part, about});
  }
}

bool ProblemRules::any_broken(const Scope& scope) const {
  return std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) {
    ++evaluated_;
    const auto truth = part.condition.evaluate(scope);
    return truth.ok() ? truth->is_false() : part.about == 0;
  });
}

std::optional<SymbolSet> ProblemRules::broken(size_t symbol, const Scope& scope) const {
  for (const size_t place : of_symbol_[symbol].parts) {
    ++evaluated_;
    const auto truth = parts_[place].condition.evaluate(scope);
    if (!truth.ok() || truth->is_false()) return parts_[place].about;
  }
  return std::nullopt;
}

Range ProblemRules::narrowed(size_t symbol, const Scope& scope, Range range) const {
  for (const size_t place : of_symbol_[symbol].parts) {
    ++evaluated_;
    std::string name;
    const Range limit = parts_[place].condition.limit(scope, name);
    if (name == contract_.symbols[symbol].name) range = range.meet(limit);
  }
  return range;
}

}  // namespace opkit::verify
