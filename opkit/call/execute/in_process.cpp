#include "opkit/call/execute/in_process.h"

#include <chrono>

#include "opkit/call/execute/execution.h"
#include "opkit/call/execute/in_place.h"
#include "opkit/call/execute/plan_launch.h"
#include "opkit/call/plan/aicpu.h"

namespace opkit {
namespace {

constexpr uint32_t kRoomForAnyTile = 64;  // times the chip's: memories of 16 MiB and more

Execution execution_of(PreparedRun& prepared) {
  Execution execution = execution_of(prepared.call());
  execution.input_padding = paddings_of(prepared.inputs(), prepared.input_layouts());
  execution.output_padding = paddings_of(prepared.outputs(), prepared.output_layouts());
  execution.outputs = prepared.take_outputs();
  execution.inputs = prepared.take_inputs();
  return execution;
}

}  // namespace

std::string InProcess::place(const void* pc) {
  const auto line = pc == nullptr ? std::nullopt : lines_->find(pc);
  return line ? debug::short_text(*line) : std::string();
}

core::PlaceNames InProcess::places() {
  return [lines = lines_](const void* pc) { return lines->text(pc); };
}

Result<SharedPlan> InProcess::plan(const OpContract& contract, const std::string& soc,
                                   const CallFacts& facts) {
  OPKIT_TRY(const SocMatch match, find_soc(soc));
  OPKIT_TRY(CallPlan plan, plan_call(contract, *op_, *match.spec, facts));
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
  OPKIT_CHECK(first_mistake(seen.watched, op, [this](const void* pc) { return place(pc); }));
  return std::move(seen.execution);
}

Result<Observation> InProcess::watch(Invocation invocation, const WatchOptions& options) {
  using Clock = std::chrono::steady_clock;
  const uint64_t seed = invocation.schedule_seed ? invocation.schedule_seed : schedule_seed_;
  OPKIT_TRY(PreparedRun prepared, prepare(std::move(invocation)));
  OPKIT_CHECK(check_mode(prepared.call(), options.mode));
  OPKIT_TRY(Watch watch, Watch::make(options, *prepared.call().soc));
  Observation seen;
  const Clock::time_point start = Clock::now();
  core::LaunchReport report = prepared.launch(watch.observer(), seed);
  seen.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  seen.watched = watch.take(std::move(report));
  seen.execution = execution_of(prepared);
  seen.places = places();
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
  seen.places = places();
  return seen;
}

Result<Observation> InProcess::watch_dry(SharedPlan plan, const WatchOptions& options,
                                         uint64_t schedule_seed) {
  OPKIT_TRY(OpRunner * runner, runners_->of({plan->soc->name}));
  OPKIT_TRY(DryWatch dry, watch_dry_launch(plan, runner->machine(), options,
                                           schedule_seed ? schedule_seed : schedule_seed_));
  Observation seen;
  seen.seconds = dry.seconds;
  seen.watched = std::move(dry.watched);
  seen.execution = execution_of(*plan);
  seen.places = places();
  return seen;
}

Result<bool> InProcess::takes_in_place(SharedPlan plan, InPlace pair) {
  OPKIT_TRY(OpRunner * runner, runners_->of({plan->soc->name}));
  return opkit::takes_in_place(plan, runner->machine(), pair);
}

Result<PlanCost> InProcess::cost(SharedPlan plan, const CostOptions& options) {
  OPKIT_TRY(OpRunner * runner, runners_->of({plan->soc->name}));
  return modelled_cost(plan, runner->machine(), options);
}

std::set<uint64_t> InProcess::tiling_keys(std::optional<size_t> column) const {
  return built_keys(*op_, column);
}

Result<CoverRun> InProcess::cover(SharedPlan plan, CoverKind kind, core::DryAnswer answer,
                                  Ports inputs) {
  const uint32_t room = kind == CoverKind::kRoomy ? kRoomForAnyTile : 1;
  OPKIT_TRY(OpRunner * runner, runners_->of({plan->soc->name, 1, room}));
  CoverRun run;
  CoverLaunch seen;
  if (kind == CoverKind::kReal) {
    OPKIT_TRY(PreparedRun prepared, runner->bind_memory(plan, std::move(inputs)));
    prepared.poison();
    std::vector<std::vector<const void*>> at;
    for (const PortTensors& port : prepared.outputs()) {
      at.emplace_back();
      for (const Tensor& tensor : port) at.back().push_back(tensor.data());
    }
    seen = cover_launch(*plan, at, [&prepared](core::Observer* o) { return prepared.launch(o); });
  } else {
    OPKIT_TRY(seen, cover_dry_launch(plan, runner->machine(), answer));
  }
  run.plan = std::move(plan);
  run.report = std::move(seen.report);
  run.dry = std::move(seen.dry);
  run.faults = std::move(seen.faults);
  run.outputs = std::move(seen.outputs);
  run.place = [this](const void* pc) { return place(pc); };
  return run;
}

std::vector<std::string> InProcess::writers_of(Invocation invocation, size_t port, size_t tensor,
                                               int64_t element) {
  auto prepared = prepare(std::move(invocation));
  if (!prepared.ok()) return {};
  const ElementBytes at = bytes_of_element(prepared->output_layouts().at(port).at(tensor),
                                           prepared->outputs().at(port).at(tensor).data(), element);
  WriteTracer tracer(at.from, at.bytes);
  prepared->launch(&tracer);
  return sentences(tracer.events(), [this](const void* pc) { return place(pc); });
}

}  // namespace opkit
