// Covering a graph at least cost: every node is taken by exactly one candidate, and the chosen ones
// can be run one after the other.
#ifndef OPKIT_REWRITE_COVER_COVER_H_
#define OPKIT_REWRITE_COVER_COVER_H_

#include <functional>
#include <string>
#include <vector>

#include "opkit/rewrite/cover/problem.h"

namespace opkit::cover {

struct CoverLimits {
  size_t states = 100000;    // limits dynamic programming, for one component
  size_t exclusions = 1000;  // limits exclusions of candidates that make others wait for each other
};

struct ChosenCover {
  std::vector<size_t> chosen;  // candidates, in an order in which they can be run
  uint64_t cost = 0;
  uint64_t bound = 0;  // no cover costs less
  size_t components = 0, largest = 0;
  size_t states = 0;
  size_t cycles = 0;       // covers that were given up because groups wait for each other
  size_t costs_asked = 0;  // counts the exact costs that cover_lazily needed

  bool optimal() const { return cost == bound; }
  // "optimal", or "within 3.1 % of the bound".
  std::string statement() const;
};

// REQUIRES: candidates are convex. Errors: check's; OPK-COVER-002, too, when the candidates that
// are left take no node exactly once; OPK-COVER-003 a limit was reached before any cover was found.
Result<ChosenCover> cover(const CoverProblem& problem, const CoverLimits& limits = {});

// Covers where a candidate's cost is a lower bound until exact_cost(candidate) says more, which
// is asked for candidates that matter, each once. The result is the cover of exact costs: one that
// was not asked for would not be chosen even at its lower bound. An exact cost below its bound is
// taken as it is; the result is then optimal only if no other bound is too high.
Result<ChosenCover> cover_lazily(CoverProblem problem,
                                 const std::function<uint64_t(size_t)>& exact_cost,
                                 const CoverLimits& limits = {});

}  // namespace opkit::cover

#endif  // OPKIT_REWRITE_COVER_COVER_H_
