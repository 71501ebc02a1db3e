// The search for one pattern from one anchor. Private to this folder.
#ifndef OPKIT_REWRITE_MATCH_SEARCH_H_
#define OPKIT_REWRITE_MATCH_SEARCH_H_

#include <functional>
#include <optional>

#include "opkit/rewrite/match/graph_index.h"
#include "opkit/rewrite/match/guard.h"
#include "opkit/rewrite/match/pattern.h"
#include "opkit/rewrite/match/state.h"

namespace opkit::match {

// A refusal and how far the search had come.
struct Attempt {
  size_t matched = 0;
  Refusal refusal;
};

// Returns the pattern node whose operator is rarest in the graph; absent when an operator does not
// occur.
std::optional<size_t> anchor_of(const GraphIndex& index, const Pattern& pattern);

// Tries every way to match the pattern with its anchor at `node`, and hands whole states to `take`,
// which answers with a refusal or with none; after none the search ends. Returns the refusal that
// came furthest, or nothing when one was taken.
std::optional<Attempt> search(const GraphIndex& index, const Pattern& pattern, size_t anchor,
                              size_t node,
                              const std::function<std::optional<Refusal>(const MatchState&)>& take);

}  // namespace opkit::match

#endif  // OPKIT_REWRITE_MATCH_SEARCH_H_
