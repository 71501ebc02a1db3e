// Repeating a call: tiled again, with other numbers of host threads and under other schedules it
// must give the same bits.
#ifndef OPKIT_VERIFY_REPEAT_H_
#define OPKIT_VERIFY_REPEAT_H_

#include <optional>

#include "opkit/call/execute/executor.h"

namespace opkit::verify {

// Two plans of one call must say the same. The Error (OPK-VERIFY-021) names what differs.
std::optional<Error> differing_plans(const CallPlan& first, const CallPlan& again);

// Returns another number of threads, chosen by the seed.
unsigned other_threads(unsigned threads, uint64_t seed);

// Runs `call` once with another number of threads (chosen by the seed), and when the bits differ
// from `first` finds out whether threads or earlier calls are the cause. An Error
// (OPK-VERIFY-021) names the output and both numbers of threads; nothing: the bits are the same.
std::optional<Error> repeat_with_threads(Executor& executor, const Invocation& call,
                                         const Execution& first, uint64_t seed);

// Runs `call` twice more as it was, for kernels that alternate. The Error says that the kernel
// depends on earlier calls; nothing: the bits are those of `first`.
std::optional<Error> repeat_alike(Executor& executor, const Invocation& call,
                                  const Execution& first);

// Legal orders other than program order under which a problem runs, unless somebody asks for more.
inline constexpr int kUsualSchedules = 2;

// Runs `call` under `schedules` of them: the latest legal one, then others by chance, which the
// seed picks. The Error names the schedule seed.
std::optional<Error> repeat_with_schedules(Executor& executor, const Invocation& call,
                                           const Execution& first, uint64_t seed,
                                           int schedules = kUsualSchedules);

// Returns the first output that differs, "y" or "ys:2"; empty: none does.
std::string differing_output(const OpContract& contract, const Execution& a, const Execution& b);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_REPEAT_H_
