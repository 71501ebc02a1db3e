// A cover of one component that is good but not proved to be the cheapest, and a bound that no
// cover goes below: for components with more states than are looked at.
#ifndef OPKIT_REWRITE_COVER_GREEDY_H_
#define OPKIT_REWRITE_COVER_GREEDY_H_

#include "opkit/rewrite/cover/exact.h"

namespace opkit::cover {

// Takes candidates by what they save against single nodes, then exchanges one at a time while that
// helps. Absent when a node has no candidate of its own.
std::optional<Choice> cover_greedily(const CoverProblem& problem, const Component& component);

// Every node pays its share of the candidate that is cheapest per node.
uint64_t lower_bound(const CoverProblem& problem, const Component& component);

}  // namespace opkit::cover

#endif  // OPKIT_REWRITE_COVER_GREEDY_H_
