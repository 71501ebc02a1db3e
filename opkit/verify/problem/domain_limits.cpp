// What a domain says of a contract without a search: limits, ranks, whether values are legal.
#include <algorithm>

#include "opkit/call/infer/infer.h"
#include "opkit/contract/scope.h"
#include "opkit/verify/problem/domain.h"
#include "opkit/verify/problem/least_elements.h"

namespace opkit::verify {
namespace {

constexpr size_t kMaxRank = 8;

}  // namespace

int64_t Domain::largest(size_t symbol) const {
  const Range range =
      rules_.narrowed(symbol, open_scope(contract_), contract_.symbols[symbol].bounds);
  const ProblemRules::Steps& steps = rules_.steps(symbol);
  if (range.hi < steps.first) return range.hi;
  return range.hi - (range.hi - steps.first) % steps.step;
}

std::pair<size_t, size_t> Domain::ranks(const Symbol& symbol, const AttrValues& attrs) const {
  Scope scope = open_scope(contract_);
  add_attrs(attrs, scope);
  return ranks_in(symbol, std::move(scope));
}

// Finds the ranks of a list beside what the scope knows of other symbols. What does not name the
// list is the same for every rank.
std::pair<size_t, size_t> Domain::ranks_in(const Symbol& symbol, Scope scope) const {
  std::pair<size_t, size_t> found{kMaxRank + 1, 0};
  std::vector<const Constraint*> about;
  const auto is_broken = [&scope](const Constraint& constraint) {
    const auto truth = constraint.rule.evaluate(scope);
    return truth.ok() && truth->is_false();
  };
  for (const Constraint& constraint : contract_.where) {
    const auto& names = constraint.rule.names();
    const bool names_it = std::any_of(names.begin(), names.end(), [&](const Expr::Name& name) {
      return name.name == symbol.name;
    });
    if (names_it) {
      about.push_back(&constraint);
    } else if (is_broken(constraint)) {
      return {0, 0};
    }
  }
  for (size_t rank = 0; rank <= kMaxRank; ++rank) {
    ListValue list;
    list.known_length = true;
    list.items.assign(rank, symbol.bounds);
    scope.lists[symbol.name] = list;
    if (std::any_of(about.begin(), about.end(),
                    [&](const Constraint* constraint) { return is_broken(*constraint); }))
      continue;
    found.first = std::min(found.first, rank);
    found.second = std::max(found.second, rank);
  }
  if (found.first > found.second) found.first = found.second;
  return found;
}

bool Domain::possible(const AttrValues& attrs) const {
  Scope scope = open_scope(contract_);
  add_attrs(attrs, scope);
  return std::none_of(contract_.where.begin(), contract_.where.end(), [&](const Constraint& one) {
    const auto truth = one.rule.evaluate(scope);
    return truth.ok() && truth->is_false();
  });
}

std::optional<int64_t> Domain::elements(const SymbolValues& values, const AttrValues& attrs) const {
  const auto shapes = shapes_from_symbols(contract_, values, attrs);
  if (!shapes.ok()) return std::nullopt;
  int64_t total = 0;
  for (const auto* side : {&shapes->inputs, &shapes->outputs}) {
    for (const std::vector<Shape>& port : *side) {
      for (const Shape& shape : port) {
        if (!shape.has_rank() || !shape.is_static()) continue;
        const auto count = shape.checked_elements();
        if (!count.ok()) return std::nullopt;
        total += std::min(*count, kManyElements);
      }
    }
  }
  return total;
}

bool Domain::accepts(const SymbolValues& values, const AttrValues& attrs) const {
  Scope scope = scope_of(contract_, values, attrs);
  scope.quiet = true;
  if (!may_hold(contract_, scope)) return false;
  const auto total = elements(values, attrs);
  return total && *total <= budget_;
}

}  // namespace opkit::verify
