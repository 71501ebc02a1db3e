// One node of a pattern against one node of the graph. Private to this folder.
#ifndef OPKIT_REWRITE_MATCH_UNIFY_H_
#define OPKIT_REWRITE_MATCH_UNIFY_H_

#include <optional>

#include "opkit/rewrite/match/graph_index.h"
#include "opkit/rewrite/match/guard.h"
#include "opkit/rewrite/match/pattern.h"
#include "opkit/rewrite/match/state.h"

namespace opkit::match {

// Adds to the state what the node says of values and attributes. `exchanged`: the first two
// operands stand in the other order.
std::optional<Refusal> unify(const GraphIndex& index, const Pattern& pattern, size_t pattern_node,
                             size_t node, bool exchanged, MatchState& state);

}  // namespace opkit::match

#endif  // OPKIT_REWRITE_MATCH_UNIFY_H_
