// Guards of a whole match, and the calls that are left. Private to this folder.
#ifndef OPKIT_REWRITE_MATCH_COMPLETE_H_
#define OPKIT_REWRITE_MATCH_COMPLETE_H_

#include <optional>
#include <vector>

#include "opkit/rewrite/match/found.h"
#include "opkit/rewrite/match/graph_index.h"
#include "opkit/rewrite/match/pattern.h"
#include "opkit/rewrite/match/state.h"

namespace opkit::match {

// Adds a match for every column that fits, or says which guard does not hold.
std::optional<Refusal> complete(const GraphIndex& index, const Pattern& pattern,
                                const MatchState& state, std::vector<Match>& matches);

}  // namespace opkit::match

#endif  // OPKIT_REWRITE_MATCH_COMPLETE_H_
