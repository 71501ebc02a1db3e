// What the names of a contract mean for given symbol values and attributes.
#ifndef OPKIT_CONTRACT_SCOPE_H_
#define OPKIT_CONTRACT_SCOPE_H_

#include "opkit/contract/op_contract.h"

namespace opkit {

// Adds the attributes' values. Float attributes have none in expressions.
void add_attrs(const AttrValues& attrs, Scope& scope);

// Returns a scope in which nothing is known: symbols within their bounds, attributes within their
// ranges.
Scope open_scope(const OpContract& contract);

// REQUIRES: attrs is complete (OpContract::complete). Symbols without a value stay unbound; counts
// of inputs follow from `values`.
Scope scope_of(const OpContract& contract, const SymbolValues& values, const AttrValues& attrs);

// Returns one constraint that does not hold: an Error with its label, its text and the values it
// was about.
Error broken_constraint(const OpContract& contract, const Constraint& constraint,
                        const Scope& scope);

// Tells whether every constraint has a value and none certainly does not hold: what
// check_constraints says, without words.
bool may_hold(const OpContract& contract, const Scope& scope);

// The first constraint that certainly does not hold.
Status check_constraints(const OpContract& contract, const Scope& scope);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_SCOPE_H_
