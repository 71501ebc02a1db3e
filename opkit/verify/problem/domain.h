// Domain: legal values for a contract's free symbols, found by trying candidates symbol by symbol
// and asking the constraints about the part that is known. A symbol whose values have no part in a
// failure is not tried further; a search that takes too many steps begins anew with smaller values.
#ifndef OPKIT_VERIFY_PROBLEM_DOMAIN_H_
#define OPKIT_VERIFY_PROBLEM_DOMAIN_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/contract/op_contract.h"
#include "opkit/verify/data/random.h"
#include "opkit/verify/problem/rules.h"

namespace opkit::verify {

// One decision about the inputs' shapes. Dims of lists count from the end.
struct Pin {
  std::string symbol;
  std::optional<int64_t> dim;  // is the dim of a dim symbol, or the last dim of a list symbol
  // Is the rank of a list symbol, or the number of tensors of a per-tensor symbol.
  std::optional<size_t> rank;
  bool every_dim = false;                         // dim stands for all dims of the list
  std::optional<std::vector<int64_t>> dims = {};  // the whole list
};

class Domain {
 public:
  // No solution has more elements than the budget in all tensors together.
  Domain(const OpContract& contract, int64_t element_budget)
      : contract_(contract), budget_(element_budget), rules_(contract) {}

  // Values that meet the pins, the constraints and the budget; nothing when the search finds none.
  // attrs is complete; absent inputs and collapsed dims are taken from `start`.
  std::optional<SymbolValues> solve(const std::vector<Pin>& pins, const SymbolValues& start,
                                    const AttrValues& attrs, Draws& draws) const;
  // Tells whether complete values meet the constraints and the budget.
  bool accepts(const SymbolValues& values, const AttrValues& attrs) const;
  // Tells whether some symbols may meet the constraints with these attributes: none is certainly
  // broken.
  bool possible(const AttrValues& attrs) const;
  // Elements of all tensors together, or nothing when there are no shapes.
  std::optional<int64_t> elements(const SymbolValues& values, const AttrValues& attrs) const;
  // Smallest and largest rank of a list symbol that the constraints leave.
  std::pair<size_t, size_t> ranks(const Symbol& symbol, const AttrValues& attrs) const;

  // Returns, for a dim symbol, the first value that the constraints about it alone leave, the step
  // between those, and the largest that they and the symbol's bounds leave.
  const ProblemRules::Steps& steps(size_t symbol) const { return rules_.steps(symbol); }
  int64_t largest(size_t symbol) const;

  const OpContract& contract() const { return contract_; }
  int64_t budget() const { return budget_; }
  // Tells whether symbols are so many that corners of each cannot meet large sizes of all the
  // others.
  bool has_many_symbols() const;

  // What the searches of this domain have cost so far.
  struct Cost {
    // Count searches, their steps, and parts of constraints that were evaluated.
    int64_t searches = 0, steps = 0, evaluations = 0;
  };
  Cost cost() const;

 private:
  struct Search;
  struct Effort;
  struct Failure;
  std::optional<Failure> extend(Search& search, size_t next) const;
  std::optional<Failure> try_dims(Search& search, size_t next) const;
  std::optional<Failure> try_lists(Search& search, size_t next) const;
  std::optional<Failure> go_on(Search& search, size_t next) const;
  std::pair<size_t, size_t> ranks_in(const Symbol& symbol, Scope scope) const;
  bool costs_too_much(const Scope& scope) const;
  int64_t largest_beside(const std::vector<Pin>& pins) const;
  std::vector<int64_t> dim_candidates(Search& search, size_t symbol) const;
  std::vector<int64_t> multiples(Search& search, size_t symbol, const Range& range) const;
  std::vector<int64_t> list_candidate(Search& search, const Symbol& symbol, size_t rank) const;
  Scope scope_for(const SymbolValues& start, const AttrValues& attrs) const;

  const OpContract& contract_;
  int64_t budget_;
  ProblemRules rules_;
  mutable Cost cost_;
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_DOMAIN_H_
