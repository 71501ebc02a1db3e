// Rules: a contract's constraints by the symbols that they are about.
#ifndef OPKIT_VERIFY_PROBLEM_RULES_H_
#define OPKIT_VERIFY_PROBLEM_RULES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "opkit/contract/op_contract.h"

namespace opkit::verify {

// Symbols of a contract by their places: a bit for each; those behind the last bit share it.
using SymbolSet = uint64_t;
constexpr size_t kLastSymbolBit = 63;
constexpr SymbolSet set_of(size_t symbol) {
  return SymbolSet{1} << (symbol < kLastSymbolBit ? symbol : kLastSymbolBit);
}

class ProblemRules {
 public:
  explicit ProblemRules(const OpContract& contract);

  // Tells whether one certainly does not hold, whatever it is about.
  bool any_broken(const Scope& scope) const;
  // Returns the symbols of a part of a constraint about this one that certainly does not hold or
  // has no result.
  std::optional<SymbolSet> broken(size_t symbol, const Scope& scope) const;
  // Returns what comparisons with others leave of the symbol's range, and which others these are.
  Range narrowed(size_t symbol, const Scope& scope, Range range) const;
  SymbolSet narrowed_by(size_t symbol) const { return of_symbol_[symbol].narrowed_by; }
  // What the constraints about a dim alone leave of it: first, first + step, first + 2 step, ...
  struct Steps {
    int64_t first = 0, step = 1;
    int64_t at_least(int64_t value) const;
  };
  const Steps& steps(size_t symbol) const { return of_symbol_[symbol].steps; }

  // Parts of constraints that were evaluated so far.
  int64_t evaluated() const { return evaluated_; }

 private:
  struct Part {
    Expr condition;  // a conjunct of a constraint
    SymbolSet about;
  };
  struct OfSymbol {
    std::vector<size_t> parts;  // places in parts_
    SymbolSet narrowed_by = 0;
    Steps steps;
  };

  SymbolSet symbols_of(const Expr& expr) const;
  void add(const Expr& condition);
  Steps find_steps(size_t symbol) const;
  bool may_be(size_t symbol, int64_t value) const;

  const OpContract& contract_;
  std::vector<Part> parts_;
  std::vector<OfSymbol> of_symbol_;
  mutable int64_t evaluated_ = 0;
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_RULES_H_
