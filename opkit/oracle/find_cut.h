// The cut of a reference, however it is found.
#ifndef OPKIT_ORACLE_FIND_CUT_H_
#define OPKIT_ORACLE_FIND_CUT_H_

#include "opkit/oracle/cut.h"

namespace opkit::oracle {

// Returns a cut of every output in which a step along the axis has at most `most` elements of any
// tensor, and so has every tensor that stays whole.
// Error: kNeedsWhole, with the node that needs its operands whole.
Result<Cut> find_cut(const LoweredReference& reference, int64_t most);

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_FIND_CUT_H_
