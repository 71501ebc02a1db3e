// The computation of what does not depend on a graph's inputs.
#ifndef OPKIT_REWRITE_PASSES_COMPUTE_CONSTANTS_H_
#define OPKIT_REWRITE_PASSES_COMPUTE_CONSTANTS_H_

#include <functional>

#include "opkit/graph/graph.h"

namespace opkit::passes {

// Whether the results of a node whose operands are constants shall be kept as constants.
using WorthStoring = std::function<bool(const graph::Graph& graph, const graph::Node& node)>;

// Replaces such nodes, in order, by their results, rounded to their dtypes as the chip would store
// them: what one computes the next one may read. How many there were.
Result<size_t> compute_constants(graph::Graph& graph, const WorthStoring& worth_storing);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_COMPUTE_CONSTANTS_H_
