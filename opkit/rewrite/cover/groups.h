// What chosen candidates make of a graph: groups that depend on each other.
#ifndef OPKIT_REWRITE_COVER_GROUPS_H_
#define OPKIT_REWRITE_COVER_GROUPS_H_

#include <vector>

#include "opkit/rewrite/cover/problem.h"

namespace opkit::cover {

// Returns the chosen candidates in an order in which each comes behind those it reads; of several
// orders the one that keeps first nodes ascending. Empty when they wait for each other. REQUIRES:
// they take every node once.
std::vector<size_t> order_groups(const CoverProblem& problem, const std::vector<size_t>& chosen);

// Chosen candidates that wait for each other, in a circle; empty when there are none.
std::vector<size_t> find_cycle(const CoverProblem& problem, const std::vector<size_t>& chosen);

}  // namespace opkit::cover

#endif  // OPKIT_REWRITE_COVER_GROUPS_H_
