// What a model's file says of its outputs, beside what its nodes give.
#ifndef OPKIT_ATC_COMPILE_DECLARED_OUTPUTS_H_
#define OPKIT_ATC_COMPILE_DECLARED_OUTPUTS_H_

#include "opkit/graph/graph.h"

namespace opkit::compile {

// Error: OPK-ATC-005 another element type. Warnings: OPK-ATC-006 other dims.
// REQUIRES: the graph is inferred.
Result<Errors> check_declared_outputs(const graph::Graph& graph);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_DECLARED_OUTPUTS_H_
