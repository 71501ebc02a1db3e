// Declares the rewrites of rewrites.def. Private to this folder and to their proofs.
#ifndef OPKIT_REWRITE_PASSES_REWRITES_H_
#define OPKIT_REWRITE_PASSES_REWRITES_H_

#include "opkit/graph/graph.h"

namespace opkit::passes {

#define OPKIT_REWRITE(function, purpose) Result<size_t> function(graph::Graph& graph);
#include "opkit/rewrite/passes/rewrites.def"
#undef OPKIT_REWRITE

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_REWRITES_H_
