// What a contract's `tuning:` says of the knobs of a call.
#ifndef OPKIT_CONTRACT_TUNING_H_
#define OPKIT_CONTRACT_TUNING_H_

#include "opkit/contract/knobs.h"
#include "opkit/contract/op_contract.h"

namespace opkit {

// Errors: OPK-TUNE-001 a knob that the contract does not declare; OPK-TUNE-002 a value that it does
// not allow.
Status check_knobs(const OpContract& contract, const AttrValues& knobs);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_TUNING_H_
