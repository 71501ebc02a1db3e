// Whether the constraints can hold.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/contract/contradiction.h"
#include "opkit/contract/reader.h"
#include "opkit/contract/scope.h"

namespace opkit {
namespace {

// "C1 (op_contract.yaml:8) and C2 (op_contract.yaml:9)".
std::string labels_of(const OpContract& contract, const std::set<size_t>& constraints) {
  std::string text;
  size_t left = constraints.size();
  for (const size_t i : constraints) {
    const Constraint& one = contract.where[i];
    text += fmt::format("{} ({}:{})", one.label, one.where.file, one.where.line);
    if (--left > 0) text += left == 1 ? " and " : ", ";
  }
  return text;
}

std::string texts_of(const OpContract& contract, const std::set<size_t>& constraints) {
  std::string text;
  for (const size_t i : constraints)
    text += fmt::format("{}'{}'", text.empty() ? "" : ", ", contract.where[i].text);
  return text;
}

}  // namespace

// Tells which constraints had a part in the ranges of the names in an expression.
std::set<size_t> ContractReader::reasons_of(const Expr& expression) const {
  std::set<size_t> reasons;
  for (const Expr::Name& name : expression.names()) {
    const auto found = narrowed_by_.find(name.name);
    if (found != narrowed_by_.end()) reasons.insert(found->second.begin(), found->second.end());
  }
  return reasons;
}

void ContractReader::fail_constraints(std::set<size_t> constraints, size_t at,
                                      const std::string& term) {
  constraints.insert(at);
  const std::string labels = labels_of(contract_, constraints);
  const std::string texts = texts_of(contract_, constraints);
  const Location& where = contract_.where[at].where;
  if (constraints.size() == 1)
    return fail(where, "OPK-CONTRACT-024",
                fmt::format("constraint {} can never hold: {}", contract_.where[at].label, texts),
                "correct it");
  fail(where, "OPK-CONTRACT-024",
       fmt::format("constraints {} contradict each other: they leave no value for {}: {}", labels,
                   term, texts),
       "correct one of them");
}

// Narrows the scope by what the constraint's comparisons say about single names. True when
// something changed.
bool ContractReader::tighten(size_t at, Scope& scope) {
  bool changed = false;
  for (const Expr& part : contract_.where[at].rule.conjuncts()) {
    std::string name;
    const Range limit = part.limit(scope, name);
    const auto found = scope.numbers.find(name);
    if (found == scope.numbers.end()) continue;
    const Range narrowed = found->second.meet(limit);
    if (narrowed == found->second) continue;
    changed = true;
    found->second = narrowed;
    std::set<size_t> reasons = reasons_of(part);
    reasons.insert(at);
    narrowed_by_[name].merge(reasons);
    if (!narrowed.is_empty()) continue;
    fail_constraints(narrowed_by_[name], at, name);
    return false;
  }
  return changed;
}

void ContractReader::check_satisfiable() {
  Scope scope = open_scope(contract_);
  if (const auto found = find_contradiction(contract_, scope))
    return fail_constraints({found->earlier}, found->later, found->term);
  constexpr int kRounds = 16;  // each round only narrows; enough for chains of that length
  bool changed = true;
  for (int round = 0; round < kRounds && changed; ++round) {
    changed = false;
    for (size_t i = 0; i < contract_.where.size(); ++i) {
      changed = tighten(i, scope) || changed;
      if (failed_) return;
    }
  }
  for (Symbol& symbol : contract_.symbols) {
    if (symbol.kind == Symbol::Kind::kDim) symbol.bounds = scope.numbers[symbol.name];
  }
  for (size_t i = 0; i < contract_.where.size(); ++i) {
    const Expr& rule = contract_.where[i].rule;
    const auto truth = rule.evaluate(scope);
    if (truth.ok() && truth->is_false())
      fail_constraints(reasons_of(rule), i, rule.names().empty() ? "" : rule.names()[0].name);
  }
}

}  // namespace opkit
