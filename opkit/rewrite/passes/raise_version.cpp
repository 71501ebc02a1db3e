// Raises the operators' version to the one that references have, or lowers it, when every node can
// be said in it; see raisings.h.
#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/raisings.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

const Raising* raising_of(const Graph& graph, const Node& node) {
  for (const Raising& one : raisings()) {
    if (one.op == node.op_type && graph.opset >= one.first && graph.opset <= one.last) return &one;
  }
  return nullptr;
}

}  // namespace

Result<size_t> raise_version(Graph& graph) {
  if (graph.opset < 7 || graph.opset == graph::kDefaultOpset) return size_t{0};
  const bool all = std::all_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) {
    const Raising* one = raising_of(graph, node);
    return one == nullptr || one->is_ready(graph, node);
  });
  if (!all) return size_t{0};
  const size_t count = graph.nodes.size();
  for (size_t n = 0; n < count; ++n) {
    if (const Raising* one = raising_of(graph, graph.nodes[n])) one->apply(graph, n);
  }
  graph.opset = graph::kDefaultOpset;
  OPKIT_CHECK(graph::sort_nodes(graph));
  return size_t{1};
}

}  // namespace opkit::passes
