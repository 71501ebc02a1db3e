// Declares the rephrasings of rephrasings.def. Private to this folder and to their proofs.
#ifndef OPKIT_REWRITE_PASSES_REPHRASINGS_H_
#define OPKIT_REWRITE_PASSES_REPHRASINGS_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::passes {

using Parts = std::optional<std::vector<std::string>>;

#define OPKIT_REPHRASING(function, purpose) Parts function(graph::Graph& graph, size_t n);
#include "opkit/rewrite/passes/rephrasings.def"
#undef OPKIT_REPHRASING

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_REPHRASINGS_H_
