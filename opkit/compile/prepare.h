// From an imported model to the graph that is covered.
#ifndef OPKIT_COMPILE_PREPARE_H_
#define OPKIT_COMPILE_PREPARE_H_

#include <map>
#include <string>

#include "opkit/graph/graph.h"

namespace opkit::compile {

// Infers, canonicalizes, and computes whatever does not depend on inputs, however large. Returns
// how many places each rewrite changed. Errors: those of inference and the rewrites; E10001 an
// input whose dims are not stated; OPK-ATC-001 dims that depend on data;
// OPK-ATC-002 constants of more elements than any model has.
Result<std::map<std::string, size_t>> prepare(graph::Graph& graph);

}  // namespace opkit::compile

#endif  // OPKIT_COMPILE_PREPARE_H_
