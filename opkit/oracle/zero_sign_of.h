#ifndef OPKIT_ORACLE_ZERO_SIGN_OF_H_
#define OPKIT_ORACLE_ZERO_SIGN_OF_H_

#include <vector>

#include "opkit/graph/graph.h"
#include "opkit/oracle/bounded.h"
#include "opkit/oracle/zero_sign.h"

namespace opkit::oracle {

// Returns what the node's results say of a zero's sign. An operand is null where it is absent.
ZeroSign zero_sign_of(const graph::Node& node, const std::vector<const Bounded*>& operands);

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_ZERO_SIGN_OF_H_
