// Loops as the nodes of all their iterations.
#ifndef OPKIT_REWRITE_PASSES_UNROLL_H_
#define OPKIT_REWRITE_PASSES_UNROLL_H_

#include "opkit/graph/graph.h"

namespace opkit::passes {

// Puts `trips` copies of the body in the place of node n, a Loop or a Scan, at least one. False:
// its body cannot be said in the graph's version of the operators. The graph is in order again, and
// new values are not inferred. REQUIRES: no data decide the number of iterations, and shapes of all
// values are known. Errors: those of inference.
Result<bool> unroll(graph::Graph& graph, size_t n, int64_t trips);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_UNROLL_H_
