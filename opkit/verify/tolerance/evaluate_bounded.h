// Evaluating a contract's reference with bounds: the oracle and its derived tolerance in one.
#ifndef OPKIT_VERIFY_TOLERANCE_EVALUATE_BOUNDED_H_
#define OPKIT_VERIFY_TOLERANCE_EVALUATE_BOUNDED_H_

#include "opkit/contract/op_contract.h"
#include "opkit/verify/tolerance/bounded.h"

namespace opkit::verify {

// What one call of an op is: inputs per port (absent: empty), complete attributes, symbols.
struct OracleCall {
  const OpContract* contract = nullptr;
  const std::vector<std::vector<Tensor>>* inputs = nullptr;
  AttrValues attrs;
  SymbolValues symbols;
  size_t column = 0;
};

// The outputs per port. Errors: OPK-VERIFY-001 no reference, OPK-VERIFY-002 an operator without a
// rule, and those of the interpreter.
Result<std::vector<std::vector<Bounded>>> evaluate_bounded(const OracleCall& call);

// The name of tensor i of a port in the reference: "x", and "x:i" for dynamic ports.
std::string tensor_name(const Port& port, size_t i);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_TOLERANCE_EVALUATE_BOUNDED_H_
