// Trying a reference before there is any data: types and shapes of every node, per column.
#ifndef OPKIT_CONTRACT_TRY_REFERENCE_H_
#define OPKIT_CONTRACT_TRY_REFERENCE_H_

#include "opkit/contract/op_contract.h"

namespace opkit {

// Lowers the reference of every column for sample calls and compares the results with the outputs
// that are declared. Errors and warnings point to nodes and ports:
//   OPK-REF-...       an operator's arity, attributes, dtypes or shapes are wrong
//   OPK-CONTRACT-047  the reference gives another dtype or shape than the output declares
//   OPK-CONTRACT-048  (warning) the constraints allow a call that the reference refuses, and that
//                     has dims for every output
//   OPK-CONTRACT-049  (warning) no error bound is known for an operator
// Tries every spelling, too, whose mistakes of 047 stand at its name.
// REQUIRES: the contract is otherwise consistent.
Errors try_reference(const OpContract& contract);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_TRY_REFERENCE_H_
