#include "opkit/call/execute/in_process.h"

#include <chrono>

#include "opkit/call/execute/execution.h"
#include "opkit/call/execute/tuned_plan.h"
#include "opkit/call/plan/aicpu.h"

namespace opkit {
namespace {

Execution execution_of(PreparedRun& prepared) {
  Execution execution = execution_of(prepared.call());
  execution.input_padding = paddings_of(prepared.inputs(), prepared.input_layouts());
  execution.output_padding = paddings_of(prepared.outputs(), prepared.output_layouts());
  execution.outputs = prepared.take_outputs();
  execution.inputs = prepared.take_inputs();
  return execution;
}

std::vector<std::vector<const void*>> addresses_of(const Ports& tensors) {
  std::vector<std::vector<const void*>> at;
  for (const PortTensors& port : tensors) {
    at.emplace_back();
    for (const Tensor& tensor : port) at.back().push_back(tensor.data());
  }
  return at;
}

}  // namespace

FindLine InProcess::lines() const {
  return
      [lines = lines_](const void* pc) { return pc == nullptr ? std::nullopt : lines->find(pc); };
}

Result<SharedPlan> InProcess::plan(const OpContract& contract, const std::string& soc,
                                   const CallFacts& facts) {
  OPKIT_TRY(const SocMatch match, find_soc(soc));
  const auto make = [&](const CallFacts& all) {
    return plan_call(contract, *op_, *match.spec, all);
  };
  OPKIT_TRY(CallPlan plan, plan_tuned(contract, digest_, match.spec->name, facts, make));
  return std::make_shared<const CallPlan>(std::move(plan));
}

Result<PreparedRun> InProcess::prepare(Invocation invocation) {
  if (!invocation.plan) {
    CallFacts facts = facts_of(*invocation.contract, invocation.inputs);
    facts.attrs = std::move(invocation.attrs);
    facts.output_shapes = std::move(invocation.output_shapes);
    OPKIT_TRY(invocation.plan, plan(*invocation.contract, invocation.soc, facts));
  }
  fill_inputs(invocation);
  OPKIT_TRY(OpRunner * runner, runners_->of({invocation.soc, invocation.threads}));
  OPKIT_TRY(PreparedRun prepared,
            runner->bind_memory(std::move(invocation.plan), std::move(invocation.inputs), false,
                                std::move(invocation.initial_outputs)));
  prepared.poison();
  return prepared;
}

Result<Execution> InProcess::run(Invocation invocation) {
  const std::string op = invocation.contract->op;
  const WatchOptions options = run_options(invocation.checked);
  OPKIT_TRY(Observation seen, watch(std::move(invocation), options));
  OPKIT_CHECK(first_mistake(seen.watched, op, short_places(lines())));
  return std::move(seen.execution);
}

Result<Observation> InProcess::watch(Invocation invocation, const WatchOptions& options) {
  using Clock = std::chrono::steady_clock;
  const uint64_t seed = seed_of(invocation);
  OPKIT_TRY(PreparedRun prepared, prepare(std::move(invocation)));
  OPKIT_CHECK(check_mode(prepared.call(), options.mode));
  OPKIT_TRY(Watch watch, Watch::make(options, *prepared.call().soc));
  Observation seen;
  const Clock::time_point start = Clock::now();
  core::LaunchReport report = prepared.launch(watch.observer(), seed);
  seen.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  seen.watched = watch.take(std::move(report));
  seen.execution = execution_of(prepared);
  seen.places = whole_places(lines());
  return seen;
}

Result<Observation> InProcess::watch_placed(PlacedCall& call, const WatchOptions& options,
                                            unsigned threads) {
  using Clock = std::chrono::steady_clock;
  OPKIT_CHECK(check_mode(call.plan(), options.mode));
  OPKIT_TRY(OpRunner * runner, runners_->of({call.plan().soc->name, threads}));
  OPKIT_TRY(Watch watch, Watch::make(options, *call.plan().soc));
  LaunchOptions launch;
  launch.observer = watch.observer();
  launch.schedule_seed = schedule_seed_;
  Observation seen;
  const Clock::time_point start = Clock::now();
  core::LaunchReport report = call.launch(runner->machine(), launch);
  seen.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  seen.watched = watch.take(std::move(report));
  seen.places = whole_places(lines());
  return seen;
}

Result<QuestionAnswer> InProcess::observe(const Question& question, Invocation call) {
  const uint64_t seed = seed_of(call);
  if (!needs_tensors(question)) {
    const uint32_t room = room_of(question);
    OPKIT_TRY(OpRunner * runner, runners_->of({call.plan->soc->name, 1, room}));
    return answer(question, {call.plan, runner->machine(), seed});
  }
  OPKIT_TRY(OpRunner * runner, runners_->of({call.soc, call.threads}));
  OPKIT_TRY(PreparedRun prepared, prepare(std::move(call)));
  AskedCall asked{prepared.shared_plan(), runner->machine(), seed};
  asked.launch = [&prepared](core::Observer* observer) { return prepared.launch(observer); };
  asked.outputs = addresses_of(prepared.outputs());
  asked.place = short_places(lines());
  return answer(question, asked);
}

std::set<uint64_t> InProcess::tiling_keys(std::optional<size_t> column) const {
  return built_keys(*op_, column);
}

}  // namespace opkit
