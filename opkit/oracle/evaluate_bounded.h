// Evaluating a contract's reference with bounds: the oracle and its derived tolerance in one.
#ifndef OPKIT_ORACLE_EVALUATE_BOUNDED_H_
#define OPKIT_ORACLE_EVALUATE_BOUNDED_H_

#include "opkit/contract/lower.h"
#include "opkit/oracle/bounded.h"

namespace opkit::oracle {

// What one call of an op is: inputs per port (absent: empty), complete attributes, symbols.
struct OracleCall {
  const OpContract* contract = nullptr;
  const std::vector<std::vector<Tensor>>* inputs = nullptr;
  AttrValues attrs;
  SymbolValues symbols;
  size_t column = 0;
  const Spelling* spelling = nullptr;  // stands in place of the reference
  // Intermediate results are held in this type, and nothing is stored in between, whatever the
  // contract says: how far apart two computations of the same can lie in that type.
  std::optional<DType> working = {};
  // Holds the scope of a call that is bound already, in place of what the symbols give.
  std::optional<Scope> scope = {};
};

// Error: OPK-VERIFY-001 without a reference.
Status check_judged(const OpContract& contract);
// Returns the reference as this call sees it.
Result<LoweredReference> lowered_call(const OracleCall& call);

// Returns the outputs per port, of the reference as this call or one with other dims sees it.
// Errors: as below.
Result<std::vector<std::vector<Bounded>>> evaluate_lowered(const OracleCall& call,
                                                           const LoweredReference& lowered);

// Returns the outputs per port. Errors: OPK-VERIFY-001 no reference, OPK-VERIFY-002 an operator
// without a rule, and those of the interpreter.
Result<std::vector<std::vector<Bounded>>> evaluate_bounded(const OracleCall& call);

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_EVALUATE_BOUNDED_H_
