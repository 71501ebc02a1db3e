// Cuts of references whose nodes all work along one axis step by step, found from the inputs on.
#ifndef OPKIT_ORACLE_CUT_FORWARDS_H_
#define OPKIT_ORACLE_CUT_FORWARDS_H_

#include "opkit/oracle/cut.h"

namespace opkit::oracle {

// Finds a cut for nodes that work element by element, on rows behind the axis, or with sums over
// other axes.
// Error: kNeedsWhole, with the node that needs its operands whole.
Result<Cut> find_cut_forwards(const LoweredReference& reference, int64_t most);

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_CUT_FORWARDS_H_
