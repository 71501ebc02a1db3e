// The cheapest cover of one component, exactly: dynamic programming over the nodes in order; a
// state is the set of later nodes that are covered already.
#ifndef OPKIT_REWRITE_COVER_EXACT_H_
#define OPKIT_REWRITE_COVER_EXACT_H_

#include <optional>
#include <vector>

#include "opkit/rewrite/cover/components.h"

namespace opkit::cover {

struct Choice {
  std::vector<size_t> candidates;  // number the problem's candidates
  uint64_t cost = 0;
};

struct ExactResult {
  std::optional<Choice> choice;  // absent: there is none, or the limit was reached
  size_t states = 0;             // that were looked at
  bool complete = true;          // the limit was not reached
};

ExactResult cover_exactly(const CoverProblem& problem, const Component& component,
                          size_t most_states);

}  // namespace opkit::cover

#endif  // OPKIT_REWRITE_COVER_EXACT_H_
