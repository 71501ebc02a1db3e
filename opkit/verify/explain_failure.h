// Explaining a failure: the smallest problem that still fails, and who wrote its wrong element.
#ifndef OPKIT_VERIFY_EXPLAIN_FAILURE_H_
#define OPKIT_VERIFY_EXPLAIN_FAILURE_H_

#include <functional>

#include "opkit/call/execute/executor.h"
#include "opkit/verify/repeat.h"
#include "opkit/verify/test_report.h"

namespace opkit::verify {

// Tells whether the failed result is of a problem (not of an illegal call or a golden file), and of
// its tiling alone: such a problem may be too large to be run.
bool is_of_a_problem(const ProblemResult& result);
bool is_of_tiling(const ProblemResult& result);

// Shrinks with the same error code, or from wrong results to the code of their cause. A tiling that
// does not fit names its nearest neighbours that do. Without a smaller problem that fails,
// `smallest` is `found`; so it is, with another reason, when `found` passes unless one of the
// `earlier` problems was there before. Capsule and trace stay empty. `cancelled`: ends the search
// with the smallest one so far. `schedules`: under which problems are judged again.
Failure explain_failure(const OpContract& contract, Executor& executor, const ProblemResult& found,
                        const std::vector<const Problem*>& earlier,
                        const std::function<bool()>& cancelled, int schedules = kUsualSchedules);

// Returns the first wrong element, and the instructions that wrote it; empty when no element is
// wrong.
std::vector<std::string> trace_of(const OpContract& contract, Executor& executor,
                                  const ProblemResult& failed);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_EXPLAIN_FAILURE_H_
