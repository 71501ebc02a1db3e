#include "opkit/verify/proof/checked_dry.h"

#include "opkit/call/execute/execution.h"

namespace opkit::verify {

uint64_t most_checked_dry(Tier tier) {
  switch (tier) {
    case Tier::kSmoke: return uint64_t{1} << 14;
    case Tier::kCi: return uint64_t{1} << 16;
    case Tier::kNightly: break;
  }
  return kMostCheckedDry;
}

std::optional<Error> checked_dry(Executor& executor, const SharedPlan& plan) {
  const auto seen = executor.watch_dry(plan, run_options(true));
  if (!seen.ok()) return std::nullopt;
  Status good = first_mistake(seen->watched, plan->contract->op, seen->places);
  if (good.ok()) return std::nullopt;
  return std::move(good).error();
}

}  // namespace opkit::verify
