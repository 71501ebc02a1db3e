// The parts of diff_contracts: what changed in one corner of a contract.
#ifndef OPKIT_CONTRACT_DIFF_PARTS_H_
#define OPKIT_CONTRACT_DIFF_PARTS_H_

#include "opkit/contract/changes.h"
#include "opkit/contract/op_contract.h"

namespace opkit {

// Tells whether the shapes of `now` take every call that those of `old` took, and then return the
// same shapes: its symbols stand for items of the old shapes. False when that is not found out.
bool shapes_admit(const OpContract& now, const OpContract& old);

// Inputs and outputs.
void compare_ports(const OpContract& before, const OpContract& after, Changes& changes);
void compare_columns(const OpContract& before, const OpContract& after, Changes& changes);
void compare_attrs(const OpContract& before, const OpContract& after, Changes& changes);
void compare_constraints(const OpContract& before, const OpContract& after, Changes& changes);
void compare_reference(const OpContract& before, const OpContract& after, Changes& changes);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_DIFF_PARTS_H_
