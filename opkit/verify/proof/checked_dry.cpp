#include "opkit/verify/proof/checked_dry.h"

#include "opkit/call/execute/execution.h"

namespace opkit::verify {

std::optional<Error> checked_dry(Executor& executor, const SharedPlan& plan) {
  const auto seen = executor.watch_dry(plan, run_options(true));
  if (!seen.ok()) return std::nullopt;
  Status good = first_mistake(seen->watched, plan->contract->op, seen->places);
  if (good.ok()) return std::nullopt;
  return std::move(good).error();
}

}  // namespace opkit::verify
