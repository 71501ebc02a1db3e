// What constraints say of the length of a list of dims.
#ifndef OPKIT_CONTRACT_RANK_RULE_H_
#define OPKIT_CONTRACT_RANK_RULE_H_

#include "opkit/contract/op_contract.h"

namespace opkit {

// Returns the number of `list`'s dims as a constraint `rank(list) == number` says it, when only
// attributes have a part in it; it is known before any input is looked at, then.
std::optional<Expr> rank_rule(const OpContract& contract, const std::string& list);

// Tells whether the constraint is such a rule of a list that has another one beside it in an input:
// no tensor breaks it, it says where the one list ends.
bool tells_lists_apart(const OpContract& contract, const Constraint& constraint);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_RANK_RULE_H_
