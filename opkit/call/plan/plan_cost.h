// What a plan costs on its chip, by the Timed model: a launch without arithmetic and without
// tensors.
#ifndef OPKIT_CALL_PLAN_PLAN_COST_H_
#define OPKIT_CALL_PLAN_PLAN_COST_H_

#include <memory>
#include <optional>

#include "opkit/call/plan/call_plan.h"
#include "opkit/core/machine.h"
#include "opkit/core/modes/timed.h"

namespace opkit {

struct CostOptions {
  // Instructions that are watched at most, of all cores together. A launch that issues more is
  // estimated from its first part.
  uint64_t most_instructions = uint64_t{1} << 18;
  // Also on chips of which nobody measured a figure: to compare variants, not to tell microseconds.
  bool of_unmeasured_chips = false;
};

struct PlanCost {
  uint64_t cycles = 0;        // until the last core ends
  uint64_t task_ns = 0;       // includes launch overhead
  uint64_t instructions = 0;  // that were watched
  // The whole launch was watched: `timed` has everything that the Timed mode says of it. Otherwise
  // cycles and task_ns are an estimate: what is left costs per output byte what the second half of
  // the watched part does.
  bool exact = true;
  std::optional<core::TimedResult> timed;
  double watched_share = 1;  // is the part of the outputs' bytes that the watched part writes
  double spread = 0;         // |cycles per byte of the second half : of the first - 1|
};

// Errors: trace::measured_rates' (trace::rates_of', of_unmeasured_chips), launch_dry's,
// needs_data() and those of a kernel fault; OPK-COST-001 an estimate has nothing to lean on,
// because the first part of the launch writes no output, or writes outputs several times, or its
// blocks wait for each other.
Result<PlanCost> modelled_cost(const std::shared_ptr<const CallPlan>& plan, core::Machine& machine,
                               const CostOptions& options = {});

}  // namespace opkit

#endif  // OPKIT_CALL_PLAN_PLAN_COST_H_
