// Cuts of references with matrix products and convolutions, found from the outputs backwards: a row
// of a product reads one row of the left operand and all of the right one.
#ifndef OPKIT_ORACLE_CUT_BACKWARDS_H_
#define OPKIT_ORACLE_CUT_BACKWARDS_H_

#include "opkit/oracle/cut.h"

namespace opkit::oracle {

// Returns a cut as find_cut does. What a node needs whole stays whole, as far as no other node
// needs a part of it alone. Error: kNeedsWhole, with the node that needs its operands whole.
Result<Cut> find_cut_backwards(const LoweredReference& reference, int64_t most);

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_CUT_BACKWARDS_H_
