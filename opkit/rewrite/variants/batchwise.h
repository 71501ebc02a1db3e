// Nodes that work on every image of a batch by itself. Private to this folder.
#ifndef OPKIT_REWRITE_VARIANTS_BATCHWISE_H_
#define OPKIT_REWRITE_VARIANTS_BATCHWISE_H_

#include <set>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::variants {

// Nodes whose variable operands and results all have the batch as their first dim, with nothing
// that reaches from one image to another.
struct Batchwise {
  std::vector<size_t> nodes;     // numbers nodes of the graph, in its order
  std::set<std::string> values;  // the one that they begin with, and those that they define
  int64_t batch = 0;
};

// All such nodes that compute from the value and from each other. REQUIRES: the graph is inferred
// and in order.
Batchwise batchwise_from(const graph::Graph& graph, const std::string& value);

}  // namespace opkit::variants

#endif  // OPKIT_REWRITE_VARIANTS_BATCHWISE_H_
