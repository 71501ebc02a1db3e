#include "opkit/call/plan/aicpu.h"

#include <fmt/format.h>

#include "opkit/abi/aicpu.h"

namespace opkit {

bool is_aicpu(const CallPlan& plan) {
  return plan.tiling.kernel != nullptr && plan.tiling.kernel->task_type == OPK_TASK_AICPU;
}

Status check_mode(const CallPlan& plan, Mode mode) {
  if (mode != Mode::kTimed || !is_aicpu(plan)) return {};
  return plan.contract->error(
      "OPK-COST-002",
      fmt::format("{} runs on a processor of the host, of which there is no model of time",
                  plan.contract->op),
      "run it without --mode timed; opkit bench measures this host");
}

}  // namespace opkit
