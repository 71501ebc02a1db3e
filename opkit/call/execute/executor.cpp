#include "opkit/call/execute/executor.h"

#include <utility>

#include "opkit/call/execute/execution.h"

namespace opkit {
namespace {

Error no_kernels() {
  return Error("OPK-VERIFY-063", "this executor does not run kernels", "load a plugin");
}

// Asks one question and takes the answer of its type.
template <typename Asked>
Result<typename Asked::Answer> ask(Executor& executor, const Asked& question, Invocation call) {
  OPKIT_TRY(QuestionAnswer told, executor.observe(question, std::move(call)));
  return std::get<typename Asked::Answer>(std::move(told));
}

Invocation planned(SharedPlan plan, Ports inputs = {}) {
  Invocation call;
  if (plan) {
    call.contract = plan->contract;
    call.soc = plan->soc->name;
  }
  call.plan = std::move(plan);
  call.inputs = std::move(inputs);
  return call;
}

}  // namespace

Result<SharedPlan> Executor::plan(const OpContract&, const std::string&, const CallFacts&) {
  return no_kernels();
}
Result<Observation> Executor::watch(Invocation, const WatchOptions&) { return no_kernels(); }
Result<Observation> Executor::watch_placed(PlacedCall&, const WatchOptions&, unsigned) {
  return no_kernels();
}
Result<QuestionAnswer> Executor::observe(const Question&, Invocation) { return no_kernels(); }
FindLine Executor::lines() const {
  return [](const void*) { return std::nullopt; };
}

Result<Observation> Executor::watch_dry(SharedPlan plan, const WatchOptions& options,
                                        uint64_t schedule_seed) {
  Invocation call = planned(plan);
  call.schedule_seed = schedule_seed;
  OPKIT_TRY(DryWatch dry, ask(*this, DryQuestion{options}, std::move(call)));
  Observation seen;
  seen.seconds = dry.seconds;
  seen.watched = std::move(dry.watched);
  seen.execution = execution_of(*plan);
  seen.places = whole_places(lines());
  return seen;
}

Result<bool> Executor::takes_in_place(SharedPlan plan, InPlace pair) {
  return ask(*this, InPlaceQuestion{pair}, planned(std::move(plan)));
}

Result<PlanCost> Executor::cost(SharedPlan plan, const CostOptions& options) {
  return ask(*this, CostQuestion{options}, planned(std::move(plan)));
}

Result<CoverRun> Executor::cover(SharedPlan plan, CoverKind kind, core::DryAnswer computed,
                                 Ports inputs) {
  OPKIT_TRY(CoverLaunch seen,
            ask(*this, CoverQuestion{kind, computed}, planned(plan, std::move(inputs))));
  return CoverRun{std::move(seen), std::move(plan), short_places(lines())};
}

std::vector<std::string> Executor::writers_of(Invocation invocation, size_t port, size_t tensor,
                                              int64_t element) {
  auto told = ask(*this, WritersQuestion{port, tensor, element}, std::move(invocation));
  return told.ok() ? std::move(told).value() : std::vector<std::string>();
}

}  // namespace opkit
