// The Checked mode on a launch without data: races and queues of calls that are too large to run.
#ifndef OPKIT_VERIFY_PROOF_CHECKED_DRY_H_
#define OPKIT_VERIFY_PROOF_CHECKED_DRY_H_

#include <optional>

#include "opkit/call/execute/executor.h"
#include "opkit/verify/problem/plan.h"

namespace opkit::verify {

// Instructions of a launch that is worth its time: of a problem by itself, and in a tier's run.
inline constexpr uint64_t kMostCheckedDry = uint64_t{1} << 18;
uint64_t most_checked_dry(Tier tier);

// Returns the first mistake that Checked sees in the plan's launch; nothing when it sees none, or
// when what the kernel does depends on data.
std::optional<Error> checked_dry(Executor& executor, const SharedPlan& plan);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROOF_CHECKED_DRY_H_
