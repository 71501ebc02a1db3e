// Calls that must be refused: one for each numbered constraint and for each dtype row that the
// contract's table does not hold.
#ifndef OPKIT_VERIFY_ERROR_INPUTS_H_
#define OPKIT_VERIFY_ERROR_INPUTS_H_

#include <vector>

#include "opkit/call/execute/executor.h"
#include "opkit/verify/verdict.h"

namespace opkit::verify {

// Each result is REFUSED (as it should be), FAILED (accepted, or refused for another reason), or
// SKIPPED with the reason why no such call could be made. Calls that break a constraint are of
// `column`.
std::vector<ProblemResult> judge_error_inputs(const OpContract& contract, Executor& executor,
                                              const std::string& soc, uint64_t seed,
                                              size_t column = 0);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_ERROR_INPUTS_H_
