// The search for one pattern from one anchor. Private to this folder.
#ifndef OPKIT_MATCH_SEARCH_H_
#define OPKIT_MATCH_SEARCH_H_

#include <functional>
#include <optional>

#include "opkit/rewrite/match/match.h"
#include "opkit/rewrite/match/pattern.h"

namespace opkit::match {

// What stands for what, as far as is known.
struct State {
  std::vector<size_t> node_of;  // of each pattern node; the graph's size: none yet
  std::map<std::string, std::vector<std::string>> values;  // of names of the pattern
  AttrValues attrs;
  size_t matched = 0;
};

// A refusal and how far the search had come.
struct Attempt {
  size_t matched = 0;
  Refusal refusal;
};

// The pattern node whose operator is rarest in the graph; absent when an operator does not occur.
std::optional<size_t> anchor_of(const Matcher& matcher, const Pattern& pattern);

// Tries every way to match the pattern with its anchor at `node`, and hands whole states to `take`,
// which answers with a refusal or with none; after none the search ends. Returns the refusal that
// came furthest, or nothing when one was taken.
std::optional<Attempt> search(const Matcher& matcher, const Pattern& pattern, size_t anchor,
                              size_t node,
                              const std::function<std::optional<Refusal>(const State&)>& take);

}  // namespace opkit::match

#endif  // OPKIT_MATCH_SEARCH_H_
