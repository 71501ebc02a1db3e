// Whether the spellings of a contract mean what its reference means.
#ifndef OPKIT_VERIFY_SPELLINGS_H_
#define OPKIT_VERIFY_SPELLINGS_H_

#include <vector>

#include "opkit/verify/problem/plan.h"
#include "opkit/verify/verdict.h"

namespace opkit::verify {

// Returns one result per spelling. The oracle evaluates reference and spelling on data of the
// plan's problems, each with the interval in which a computation in double can lie, and the
// intervals must meet element by element. Failures are OPK-VERIFY-028: an element for which they do
// not, or data that say too little, because most intervals are wide. No kernel runs.
std::vector<ProblemResult> judge_spellings(const OpContract& contract,
                                           const std::vector<PlannedProblem>& plan);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_SPELLINGS_H_
