// Judge: takes one problem to its verdict.
#ifndef OPKIT_VERIFY_JUDGE_H_
#define OPKIT_VERIFY_JUDGE_H_

#include "opkit/call/execute/executor.h"
#include "opkit/verify/large_problem.h"
#include "opkit/verify/problem_inputs.h"
#include "opkit/verify/proof/watched_launches.h"
#include "opkit/verify/repeat.h"
#include "opkit/verify/verdict.h"

namespace opkit::verify {

struct JudgeOptions {
  LargeWork large = {};             // is for a problem with more than kMostAtOnce elements
  int schedules = kUsualSchedules;  // see repeat_with_schedules
  // What the Checked mode has seen without data; nullptr: it watches whatever is too large to run
  // under it. A problem that it does not watch again passes that check.
  WatchedLaunches* watched = nullptr;
};

// Runs a problem that the contract allows: twice, the second time with another number of threads;
// inputs must stay as they are, outputs have the promised shapes, the same bits both times, and
// values within the bounds derived from the reference.
ProblemResult judge(const OpContract& contract, Executor& executor, const Problem& problem,
                    const JudgeOptions& options = {});

// Judges with inputs that were kept instead of generated. REQUIRES: make_inputs' shapes and
// dtypes.
ProblemResult judge_with(const OpContract& contract, Executor& executor, const Problem& problem,
                         Ports inputs);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_JUDGE_H_
