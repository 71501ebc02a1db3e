// Why dims of what an If, a Loop or a Scan gives are not known. Private to this folder.
#ifndef OPKIT_ATC_COMPILE_CONTROL_DIMS_H_
#define OPKIT_ATC_COMPILE_CONTROL_DIMS_H_

#include "opkit/graph/graph.h"

namespace opkit::compile {

// OPK-FLOW-001 a carried value changes its dims; -002 data decide how many iterations a stacked
// result has; -003 branches give other dims; OPK-ATC-001 data decide the dims inside of a body.
// REQUIRES: the node has bodies, and nothing is known of the dims of that output.
Error open_dims_error(const graph::Graph& graph, const graph::Node& node, size_t output);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_CONTROL_DIMS_H_
