// An author's OpDef against the contract: the same op must be said twice alike.
#ifndef OPKIT_CALL_DECLARED_DECLARATION_H_
#define OPKIT_CALL_DECLARED_DECLARATION_H_

#include "opkit/abi/plugin.h"
#include "opkit/base/status.h"
#include "opkit/contract/op_contract.h"

namespace opkit {

// Returns every difference, each an Error that points into the contract:
//   OPK-DECL-001  the declaration itself is useless (columns that do not match, no default, ...)
//   OPK-DECL-002  an input or output is missing, too many, in another order, or of another kind
//   OPK-DECL-003  a combination of element types and formats that only one side has
//   OPK-DECL-004  an attribute is missing, too many, in another order, or of another type or
//   default OPK-DECL-005  a SoC that only one side lists
// Empty when both agree. REQUIRES: the tables passed the registry's checks.
Errors check_declaration(const opk_declared_v1& declared, const OpContract& contract);

}  // namespace opkit

#endif  // OPKIT_CALL_DECLARED_DECLARATION_H_
