// Binding: what a contract's symbols are for given inputs.
#ifndef OPKIT_CALL_INFER_BINDING_H_
#define OPKIT_CALL_INFER_BINDING_H_

#include <span>
#include <string>
#include <vector>

#include "opkit/call/infer/facts.h"
#include "opkit/contract/op_contract.h"

namespace opkit {

struct Binding {
  size_t column = 0;  // dtype and format column of the contract
  AttrValues attrs;   // complete
  Scope scope;        // symbols, attributes, counts; a dim that is not known is a range

  // Returns the known value of a dim symbol, or -1.
  int64_t dim(const std::string& symbol) const;
};

// Matches the inputs with the contract: presence, dtype and format column, ranks, dims, and every
// constraint that the facts decide. `inputs` has one entry per input port (see arrange_inputs).
// Errors name the tensor, what was expected and got, the contract line and the constraint.
Result<Binding> bind_facts(const OpContract& contract, std::span<const PortFacts> inputs,
                           const AttrValues& attrs);

// How each constraint stands: true, false, or not decided by what is known.
struct ConstraintState {
  const Constraint* constraint = nullptr;
  Range truth = Range::either();
  std::string problem;  // why it cannot be evaluated (overflow, division by zero), or empty
};
std::vector<ConstraintState> judge_constraints(const OpContract& contract, const Scope& scope);

}  // namespace opkit

#endif  // OPKIT_CALL_INFER_BINDING_H_
