#include "opkit/call/execute/executor.h"

namespace opkit {
namespace {

Error no_kernels() {
  return Error("OPK-VERIFY-063", "this executor does not run kernels", "load a plugin");
}

}  // namespace

Result<SharedPlan> Executor::plan(const OpContract&, const std::string&, const CallFacts&) {
  return no_kernels();
}
Result<Observation> Executor::watch(Invocation, const WatchOptions&) { return no_kernels(); }
Result<Observation> Executor::watch_placed(PlacedCall&, const WatchOptions&, unsigned) {
  return no_kernels();
}
Result<Observation> Executor::watch_dry(SharedPlan, const WatchOptions&, uint64_t) {
  return no_kernels();
}
Result<bool> Executor::takes_in_place(SharedPlan, InPlace) { return no_kernels(); }
Result<PlanCost> Executor::cost(SharedPlan, const CostOptions&) { return no_kernels(); }
Result<CoverRun> Executor::cover(SharedPlan, CoverKind, core::DryAnswer, Ports) {
  return no_kernels();
}

}  // namespace opkit
