// Parts of expressions that never have a result. Private to opkit/contract.
#ifndef OPKIT_CONTRACT_EXPR_RESULTS_H_
#define OPKIT_CONTRACT_EXPR_RESULTS_H_

#include "opkit/contract/expr.h"

namespace opkit {

// Returns an Error for a part that has no result for whatever is in scope, also where another part
// decides beside it: 1 // 0, K % 0, 2**-1. Names that the scope does not know are no error.
Status check_results(const Expr& expression, const Scope& scope);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_EXPR_RESULTS_H_
