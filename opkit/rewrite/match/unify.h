// One node of a pattern against one node of the graph. Private to this folder.
#ifndef OPKIT_MATCH_UNIFY_H_
#define OPKIT_MATCH_UNIFY_H_

#include <optional>

#include "opkit/rewrite/match/search.h"

namespace opkit::match {

// Adds to the state what the node says of values and attributes. `exchanged`: the first two
// operands stand in the other order.
std::optional<Refusal> unify(const Matcher& matcher, const Pattern& pattern, size_t pattern_node,
                             size_t node, bool exchanged, State& state);

// Whether the order of the operator's two operands does not matter.
bool is_commutative(const std::string& op_type);

}  // namespace opkit::match

#endif  // OPKIT_MATCH_UNIFY_H_
