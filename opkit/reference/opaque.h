// Opaque nodes: calls of ops whose meaning no operators say, so that only a plugin computes them.
// Such a node states itself what its results are.
#ifndef OPKIT_REFERENCE_OPAQUE_H_
#define OPKIT_REFERENCE_OPAQUE_H_

#include <string_view>
#include <vector>

#include "opkit/graph/graph.h"
#include "opkit/reference/operator.h"

namespace opkit::reference {

// Begins the operator of such a node; the op's type follows.
inline constexpr std::string_view kOpaqueMark = "opkit:";

bool is_opaque(std::string_view op_type);

// Makes the node state dtype and shape of each of its outputs. REQUIRES: every shape is static.
void state_results(graph::Node& node, const std::vector<graph::ValueInfo>& results);

// Returns the row of all opaque operators. Inference reads what state_results wrote; evaluation is
// refused with OPK-REF-011. Names of attributes are not judged.
const Operator& opaque_operator();

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_OPAQUE_H_
