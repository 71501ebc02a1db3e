#include "opkit/contract/contradiction.h"

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <vector>

#include "opkit/contract/expr_comparison.h"
#include "opkit/contract/expr_relation.h"

namespace opkit {
namespace {

using Relation = ExprNode::Relation;

// What constraints leave of a term, and which of them says each end.
struct Left {
  Range range;
  std::optional<size_t> least_by, most_by;
};

// term % divisor == remainder.
struct Congruence {
  int64_t divisor, remainder;
  size_t by;
};

class Finder {
 public:
  explicit Finder(const Scope& scope) : scope_(scope) {}

  std::optional<Contradiction> add(size_t constraint, const Expr& condition) {
    const auto compared = comparison_of(condition);
    if (!compared || compared->relation == Relation::kUnequal) return std::nullopt;
    constraint_ = constraint;
    const auto& [left, relation, right] = *compared;
    if (auto found = add_side(left, relation, right)) return found;
    if (auto found = add_side(right, mirrored(relation), left)) return found;
    return add_difference(left, relation, right);
  }

 private:
  std::optional<Contradiction> add_side(const Expr& term, Relation relation, const Expr& other) {
    const auto side = other.evaluate(scope_);
    if (term.is_constant() || !side.ok()) return std::nullopt;
    if (auto found = narrow(term.to_string(), left_by(relation, *side))) return found;
    const auto remainder = remainder_of(term);
    if (!remainder || relation != Relation::kEqual || !side->is_known()) return std::nullopt;
    return add_congruence(remainder->of.to_string(), {remainder->divisor, side->lo, constraint_});
  }

  // M < N says M - N < 0, whatever M and N are.
  std::optional<Contradiction> add_difference(const Expr& left, Relation relation,
                                              const Expr& right) {
    if (left.is_constant() || right.is_constant()) return std::nullopt;
    const std::string a = left.to_string(), b = right.to_string();
    if (a > b)
      return narrow(fmt::format("{} - {}", b, a), left_by(mirrored(relation), Range::of(0)));
    return narrow(fmt::format("{} - {}", a, b), left_by(relation, Range::of(0)));
  }

  std::optional<Contradiction> narrow(const std::string& term, Range limit) {
    Left& left = terms_[term];
    if (limit.lo > left.range.lo) left.range.lo = limit.lo, left.least_by = constraint_;
    if (limit.hi < left.range.hi) left.range.hi = limit.hi, left.most_by = constraint_;
    if (!left.range.is_empty()) return std::nullopt;
    const size_t one = *left.least_by, other = *left.most_by;
    return Contradiction{std::min(one, other), std::max(one, other), term};
  }

  std::optional<Contradiction> add_congruence(const std::string& term, const Congruence& added) {
    std::vector<Congruence>& all = congruences_[term];
    for (const Congruence& one : all) {
      const int64_t shared = std::gcd(one.divisor, added.divisor);
      if (one.remainder % shared != added.remainder % shared)
        return Contradiction{one.by, added.by, term};
    }
    all.push_back(added);
    return std::nullopt;
  }

  const Scope& scope_;
  size_t constraint_ = 0;
  std::map<std::string, Left> terms_;
  std::map<std::string, std::vector<Congruence>> congruences_;
};

}  // namespace

std::optional<Contradiction> find_contradiction(const OpContract& contract, const Scope& scope) {
  Finder finder(scope);
  for (size_t i = 0; i < contract.where.size(); ++i) {
    for (const Expr& part : contract.where[i].rule.conjuncts()) {
      if (auto found = finder.add(i, part)) return found;
    }
  }
  return std::nullopt;
}

}  // namespace opkit
