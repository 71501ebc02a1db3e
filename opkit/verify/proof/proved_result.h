// A proved tiling as the result of a problem.
#ifndef OPKIT_VERIFY_PROOF_PROVED_RESULT_H_
#define OPKIT_VERIFY_PROOF_PROVED_RESULT_H_

#include "opkit/verify/proof/prove.h"
#include "opkit/verify/verdict.h"

namespace opkit::verify {

// FAILED with what is wrong, SKIPPED when nothing can be said.
ProblemResult result_of(const OpContract& contract, const Problem& problem,
                        const ProvedTiling& proved);

// Proves the tiling of one problem; SKIPPED when nothing can be said.
ProblemResult judge_tiling(const OpContract& contract, Executor& executor, const Problem& problem);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROOF_PROVED_RESULT_H_
