// A Transpose or Reshape that element-wise nodes may pass. Private to this folder.
#ifndef OPKIT_REWRITE_VARIANTS_LAYOUT_CHANGE_H_
#define OPKIT_REWRITE_VARIANTS_LAYOUT_CHANGE_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::variants {

struct LayoutChange {
  graph::Node node;
  Shape from, to;
  std::vector<int64_t> order;  // is what a Transpose does

  bool operator==(const LayoutChange& other) const {
    return from == other.from && to == other.to && order == other.order;
  }

  // Returns a constant operand of a node in front of the change as one behind it, and the other way
  // round, where it broadcasts to the same elements; nothing: it cannot be said there.
  std::optional<graph::RefTensor> behind(const graph::RefTensor& constant) const;
  std::optional<graph::RefTensor> in_front(const graph::RefTensor& constant) const;
};

// Returns nothing when the node is no such change, or dims are not known.
std::optional<LayoutChange> layout_change_of(const graph::Graph& graph, const graph::Node& node);

// Returns the node with constants that are told on the other side of the change, reading `inputs`
// by the names of its variables. Nothing: a constant cannot be told there.
std::optional<graph::Node> moved(graph::Graph& graph, const graph::Node& node,
                                 const LayoutChange& change, bool in_front,
                                 const std::map<std::string, std::string>& inputs);

}  // namespace opkit::variants

#endif  // OPKIT_REWRITE_VARIANTS_LAYOUT_CHANGE_H_
