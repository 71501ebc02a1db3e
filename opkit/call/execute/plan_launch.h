// Launches of a plan under an observer, in this process: what executors share.
#ifndef OPKIT_CALL_EXECUTE_PLAN_LAUNCH_H_
#define OPKIT_CALL_EXECUTE_PLAN_LAUNCH_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "opkit/call/execute/write_tracer.h"
#include "opkit/call/plan/dry_launch.h"
#include "opkit/call/plan/watch.h"
#include "opkit/core/modes/cover.h"

namespace opkit {

using LaunchWith = std::function<core::LaunchReport(core::Observer*)>;

// A launch without data.
struct DryWatch {
  core::DryReport dry;
  Watched watched;
  double seconds = 0;  // counts this machine's time
};

// Errors: Watch's and launch_dry's; needs_data() when the kernel does something else for other
// computed values.
Result<DryWatch> watch_dry_launch(const std::shared_ptr<const CallPlan>& plan,
                                  core::Machine& machine, const WatchOptions& options,
                                  uint64_t schedule_seed);

struct CoverLaunch {
  core::CoverReport report;  // its ranges have moved to `outputs`
  core::DryReport dry;
  core::Faults faults;
  std::vector<std::vector<core::CoverOfRange>> outputs;  // tells of each tensor as its bytes lie
};

// Covers a launch without data.
Result<CoverLaunch> cover_dry_launch(const std::shared_ptr<const CallPlan>& plan,
                                     core::Machine& machine, core::DryAnswer answer);
// Covers a launch whose outputs lie at `at`.
CoverLaunch cover_launch(const CallPlan& plan, const std::vector<std::vector<const void*>>& at,
                         const LaunchWith& launch);

// The bytes of an output's element, as they are stored from `base` on.
struct ElementBytes {
  const uint8_t* from = nullptr;
  uint64_t bytes = 0;
};
ElementBytes bytes_of_element(const StorageLayout& layout, const void* base, int64_t element);

// Sentences, oldest first. `place`: "op_kernel/add.cpp:48" of a return address, or empty.
std::vector<std::string> sentences(const std::vector<WriteEvent>& events,
                                   const std::function<std::string(const void*)>& place);

}  // namespace opkit

#endif  // OPKIT_CALL_EXECUTE_PLAN_LAUNCH_H_
