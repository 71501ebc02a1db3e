// Element-wise nodes one behind the other, beside a change of layout. Private to this folder.
#ifndef OPKIT_REWRITE_VARIANTS_ELEMENTWISE_CHAIN_H_
#define OPKIT_REWRITE_VARIANTS_ELEMENTWISE_CHAIN_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/rewrite/passes/readers.h"
#include "opkit/rewrite/variants/layout_change.h"

namespace opkit::variants {

struct ElementwiseChain {
  std::vector<size_t> nodes;  // numbers nodes of the graph, the first one first
  LayoutChange change;        // turns every operand of the first one, or the last one's result
};

// Returns the nodes from the change of layout to the one that defines `last`. Nobody else reads
// what lies between.
std::optional<ElementwiseChain> chain_behind(const graph::Graph& graph,
                                             const passes::Readers& readers,
                                             const std::string& last);
// Returns the nodes from the one that defines `first` to the change of layout, likewise.
std::optional<ElementwiseChain> chain_in_front(const graph::Graph& graph,
                                               const passes::Readers& readers,
                                               const std::string& first);

}  // namespace opkit::variants

#endif  // OPKIT_REWRITE_VARIANTS_ELEMENTWISE_CHAIN_H_
