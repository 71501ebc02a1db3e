// Judge: takes one problem to its verdict.
#ifndef OPKIT_VERIFY_JUDGE_H_
#define OPKIT_VERIFY_JUDGE_H_

#include "opkit/call/execute/executor.h"
#include "opkit/verify/large_problem.h"
#include "opkit/verify/problem_inputs.h"
#include "opkit/verify/repeat.h"
#include "opkit/verify/verdict.h"

namespace opkit::verify {

// Runs a problem that the contract allows: twice, the second time with another number of threads;
// inputs must stay as they are, outputs have the promised shapes, the same bits both times, and
// values within the bounds derived from the reference. `work`: of a problem with more than
// kMostAtOnce elements. `schedules`: see repeat_with_schedules.
ProblemResult judge(const OpContract& contract, Executor& executor, const Problem& problem,
                    const LargeWork& work = {}, int schedules = kUsualSchedules);

// Judges with inputs that were kept instead of generated. REQUIRES: make_inputs' shapes and
// dtypes.
ProblemResult judge_with(const OpContract& contract, Executor& executor, const Problem& problem,
                         Ports inputs);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_JUDGE_H_
