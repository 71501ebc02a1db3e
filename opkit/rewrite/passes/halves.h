// Private to the rewrites.
#ifndef OPKIT_REWRITE_PASSES_HALVES_H_
#define OPKIT_REWRITE_PASSES_HALVES_H_

#include "opkit/graph/graph.h"
#include "opkit/rewrite/passes/readers.h"

namespace opkit::passes {

// Writes two Slices that take the halves of a value along its last dim as one Split. `form` has the
// nodes of `graph` in front. Returns how many pairs there were; then nodes have other numbers.
size_t split_halves(const graph::Graph& graph, const Readers& readers, graph::Graph& form);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_HALVES_H_
