// A launch of a plan that moves no data and has no tensors: everything that a kernel issues is
// checked and told to an observer, whatever the call's size.
#ifndef OPKIT_CALL_PLAN_DRY_LAUNCH_H_
#define OPKIT_CALL_PLAN_DRY_LAUNCH_H_

#include <memory>
#include <optional>
#include <string>

#include "opkit/call/plan/placed_call.h"
#include "opkit/core/modes/dry.h"

namespace opkit {

// An output that lies where an input lies: ports of one tensor each, of the same bytes.
struct InPlace {
  size_t output = 0, input = 0;
};

struct DryLaunchOptions {
  core::DryAnswer answer = core::DryAnswer::kZero;
  uint64_t most_per_core = 0, most = 0;  // core::DryOptions'
  uint64_t schedule_seed = 0;            // core::LaunchRequest's
  // REQUIRES: the host does not read the input.
  std::optional<InPlace> in_place{};
};

struct DryLaunch {
  core::LaunchReport report;
  core::DryReport dry;
  CallAddresses at;  // where the tensors seemed to lie
};

// OPK-DRY-001: `why`, a sentence, the call cannot be launched without data.
Error needs_data(const CallPlan& plan, const std::string& why);

// Takes as much memory as the values of value-dependent inputs and the tiling data need; of the
// workspace the pages that the kernel touches by single words. Errors: PlacedCall's; OPK-RUN-011
// the call is larger than any address space.
Result<DryLaunch> launch_dry(const std::shared_ptr<const CallPlan>& plan, core::Machine& machine,
                             core::Observer& observer, const DryLaunchOptions& options = {});

}  // namespace opkit

#endif  // OPKIT_CALL_PLAN_DRY_LAUNCH_H_
