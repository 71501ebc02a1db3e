// How far the results of a node reach: what a fused kernel must have at hand to compute them.
// Private to this folder.
#ifndef OPKIT_FUSION_ANALYZE_REACH_H_
#define OPKIT_FUSION_ANALYZE_REACH_H_

#include <vector>

#include "opkit/graph/graph.h"
#include "opkit/reference/operators.h"

namespace opkit::analyze {

using reference::Reach;

// kElement, kRow (of the last axis: normalizations, softmax, reductions that keep the dim) or
// kWhole.
Reach reach_of(const graph::Graph& graph, const graph::Node& node);

// Returns the farthest of all.
Reach reach_of(const graph::Graph& graph, const std::vector<size_t>& nodes);

}  // namespace opkit::analyze

#endif  // OPKIT_FUSION_ANALYZE_REACH_H_
