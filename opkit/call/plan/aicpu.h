// Calls that a processor of the host runs: what can be told of them, and what cannot.
#ifndef OPKIT_CALL_PLAN_AICPU_H_
#define OPKIT_CALL_PLAN_AICPU_H_

#include "opkit/call/plan/call_plan.h"
#include "opkit/call/plan/watch.h"

namespace opkit {

// The plan's kernel is a CpuKernel.
bool is_aicpu(const CallPlan& plan);

// OPK-COST-002: there is no model of the time that such a call takes.
Status check_mode(const CallPlan& plan, Mode mode);

}  // namespace opkit

#endif  // OPKIT_CALL_PLAN_AICPU_H_
