// Failures of earlier runs, which come first again.
#ifndef OPKIT_VERIFY_PAST_FAILURES_H_
#define OPKIT_VERIFY_PAST_FAILURES_H_

#include <string>
#include <vector>

#include "opkit/verify/problem/plan.h"
#include "opkit/verify/results_store.h"

namespace opkit::verify {

struct PastFailures {
  std::vector<PlannedProblem> problems;
  std::vector<std::string> notes;  // what was dropped, and why
};

// Forgets failures that are no calls of the contract any more, on a chip that it no longer names or
// that a constraint refuses. `socs`: chips by full or short name that were asked for; those of
// others wait for another run; empty: none were.
PastFailures past_failures(const OpContract& contract, const std::vector<std::string>& socs,
                           ResultsStore& store);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PAST_FAILURES_H_
