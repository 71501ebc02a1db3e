// Calls of a contract that differ in which inputs are there and which dims are collapsed.
#ifndef OPKIT_VERIFY_PROBLEM_VARIANTS_H_
#define OPKIT_VERIFY_PROBLEM_VARIANTS_H_

#include <vector>

#include "opkit/contract/op_contract.h"

namespace opkit::verify {

// Every optional input left out, alone and together; every dim that may collapse collapsed; and the
// call with nothing left out. None where a contract has no such.
std::vector<SymbolValues> variants_of(const OpContract& contract);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_VARIANTS_H_
