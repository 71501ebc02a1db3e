// Nodes that compute in another element type, with casts around them. Private to this folder.
#ifndef OPKIT_ATC_COMPILE_CONVERT_NODES_H_
#define OPKIT_ATC_COMPILE_CONVERT_NODES_H_

#include <set>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::compile {

// Lets these nodes read and define values of `to` where they had `from`. What the others and the
// graph's outputs read is cast back. Returns of each node, in the new order, its number before; of
// a Cast that is new the old number of nodes. The graph is sorted and inferred.
Result<std::vector<size_t>> convert_nodes(graph::Graph& graph, const std::set<size_t>& nodes,
                                          DType from, DType to);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_CONVERT_NODES_H_
