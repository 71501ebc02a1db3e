#include "opkit/execute/in_process.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "opkit/execute/finding_error.h"
#include "opkit/execute/write_tracer.h"

namespace opkit {
namespace {

constexpr uint32_t kRoomForAnyTile = 64;  // times the chip's: memories of 16 MiB and more

std::vector<std::vector<Padding>> paddings(const Ports& stored,
                                           const std::vector<PortLayouts>& layouts) {
  std::vector<std::vector<Padding>> all(stored.size());
  for (size_t p = 0; p < stored.size(); ++p) {
    for (size_t i = 0; i < stored[p].size(); ++i)
      all[p].push_back(padding_of(layouts[p][i], stored[p][i]));
  }
  return all;
}

Execution facts_of(const CallPlan& plan) {
  Execution execution;
  execution.column = plan.binding.column;
  execution.tiling_key = plan.tiling.key;
  execution.block_dim = plan.tiling.block_dim;
  execution.tiling_data = plan.tiling.data;
  execution.workspaces = plan.tiling.workspaces;
  return execution;
}

Execution execution_of(const PreparedRun& prepared) {
  Execution execution = facts_of(prepared.call());
  execution.outputs = prepared.origin_outputs();
  execution.inputs = prepared.origin_inputs();
  execution.input_padding = paddings(prepared.inputs(), prepared.input_layouts());
  execution.output_padding = paddings(prepared.outputs(), prepared.output_layouts());
  return execution;
}

WatchOptions watch_of(bool checked) {
  WatchOptions options;
  options.mode = checked ? Mode::kChecked : Mode::kFast;
  options.checked.needless_sync = false;  // advice, not a mistake
  return options;
}

// The report's ranges, dealt out to the tensors that lie there.
std::vector<std::vector<core::CoverOfRange>> take_outputs(
    core::CoverReport& report, const CallPlan& plan,
    const std::vector<std::vector<const void*>>& at) {
  std::vector<std::vector<core::CoverOfRange>> outputs;
  for (size_t p = 0; p < at.size(); ++p) {
    std::vector<core::CoverOfRange>& port = outputs.emplace_back(at[p].size());
    for (size_t t = 0; t < at[p].size(); ++t) {
      for (const core::CoverOfRange& range : report.ranges) {
        if (range.range.base == at[p][t] &&
            range.range.bytes == stored_bytes(plan.output_layouts[p][t]))
          port[t] = range;
      }
    }
  }
  report.ranges.clear();
  return outputs;
}

}  // namespace

std::string InProcess::place(const void* pc) {
  const auto line = pc == nullptr ? std::nullopt : lines_->find(pc);
  if (!line) return {};
  const std::filesystem::path file = line->file;
  return fmt::format("{}:{}", (file.parent_path().filename() / file.filename()).string(),
                     line->line);
}

core::PlaceNames InProcess::places() {
  return [lines = lines_](const void* pc) { return lines->text(pc); };
}

// What the engine refused, or the first mistake that the Checked mode saw.
Status InProcess::first_mistake(const Watched& watched, const std::string& op) {
  for (const core::Finding& finding : watched.checked.findings) {
    if (finding.warning) continue;
    return error_of(finding, op, [this](const void* pc) { return place(pc); });
  }
  if (watched.report.ok()) return {};
  const core::Fault& fault = watched.report.faults.front();
  const std::string where = place(fault.pc);
  Error error = to_error(fault, op);
  return where.empty() ? error : std::move(error).with(where);
}

Result<OpRunner*> InProcess::runner(const Chip& chip) {
  std::unique_ptr<OpRunner>& runner = runners_[chip];
  if (!runner) {
    OPKIT_TRY(const SocMatch match, find_soc(chip.soc));
    runner = std::make_unique<OpRunner>(*match.spec, chip.threads, chip.room);
  }
  return runner.get();
}

Result<SharedPlan> InProcess::plan(const OpContract& contract, const std::string& soc,
                                   const CallFacts& facts) {
  OPKIT_TRY(const SocMatch match, find_soc(soc));
  OPKIT_TRY(CallPlan plan, plan_call(contract, *op_, *match.spec, facts));
  return std::make_shared<const CallPlan>(std::move(plan));
}

Result<PreparedRun> InProcess::prepare(Invocation invocation) {
  if (!invocation.plan) {
    CallFacts facts = opkit::facts_of(*invocation.contract, invocation.inputs);
    facts.attrs = std::move(invocation.attrs);
    facts.output_shapes = std::move(invocation.output_shapes);
    OPKIT_TRY(invocation.plan, plan(*invocation.contract, invocation.soc, facts));
  }
  OPKIT_TRY(OpRunner * runner, this->runner({invocation.soc, invocation.threads}));
  OPKIT_TRY(PreparedRun prepared,
            runner->bind_memory(std::move(invocation.plan), std::move(invocation.inputs), false,
                                std::move(invocation.initial_outputs)));
  prepared.poison();
  return prepared;
}

Result<Execution> InProcess::run(Invocation invocation) {
  const std::string op = invocation.contract->op;
  const WatchOptions options = watch_of(invocation.checked);
  OPKIT_TRY(Observation seen, watch(std::move(invocation), options));
  OPKIT_CHECK(first_mistake(seen.watched, op));
  return std::move(seen.execution);
}

Result<Observation> InProcess::watch(Invocation invocation, const WatchOptions& options) {
  using Clock = std::chrono::steady_clock;
  const uint64_t seed = invocation.schedule_seed ? invocation.schedule_seed : schedule_seed_;
  OPKIT_TRY(PreparedRun prepared, prepare(std::move(invocation)));
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

Result<InProcess::DryWatch> InProcess::launch_and_watch(const SharedPlan& plan,
                                                        const WatchOptions& options,
                                                        const DryLaunchOptions& dry) {
  using Clock = std::chrono::steady_clock;
  OPKIT_TRY(Watch watch, Watch::make(options, *plan->soc));
  OPKIT_TRY(OpRunner * runner, this->runner({plan->soc->name}));
  core::Observer nobody;
  core::Observer* observer = watch.observer() ? watch.observer() : &nobody;
  const Clock::time_point start = Clock::now();
  OPKIT_TRY(DryLaunch launch, launch_dry(plan, runner->machine(), *observer, dry));
  DryWatch seen;
  seen.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (!launch.dry.needs_data.empty()) return needs_data(*plan, launch.dry.needs_data);
  seen.dry = std::move(launch.dry);
  seen.watched = watch.take(std::move(launch.report));
  return seen;
}

Result<Observation> InProcess::watch_dry(SharedPlan plan, const WatchOptions& options,
                                         uint64_t schedule_seed) {
  DryLaunchOptions dry;
  dry.schedule_seed = schedule_seed ? schedule_seed : schedule_seed_;
  OPKIT_TRY(DryWatch first, launch_and_watch(plan, options, dry));
  for (const core::DryAnswer answer : {core::DryAnswer::kOne, core::DryAnswer::kOnes}) {
    if (!first.dry.asked_for_data) break;
    dry.answer = answer;
    OPKIT_TRY(const DryWatch other, launch_and_watch(plan, options, dry));
    if (!other.tells_the_same(first))
      return needs_data(*plan, "other computed values lead it other ways");
  }
  Observation seen;
  seen.seconds = first.seconds;
  seen.watched = std::move(first.watched);
  seen.execution = facts_of(*plan);
  seen.places = places();
  return seen;
}

bool InProcess::DryWatch::tells_the_same(const DryWatch& other) const {
  const auto cycles = [](const Watched& seen) { return seen.timed ? seen.timed->cycles : 0; };
  return dry.instructions == other.dry.instructions && cycles(watched) == cycles(other.watched) &&
         watched.checked.findings.size() == other.watched.checked.findings.size() &&
         watched.report.faults.size() == other.watched.report.faults.size();
}

Result<PlanCost> InProcess::cost(SharedPlan plan, const CostOptions& options) {
  OPKIT_TRY(OpRunner * runner, this->runner({plan->soc->name}));
  return modelled_cost(plan, runner->machine(), options);
}

std::set<uint64_t> InProcess::tiling_keys() const {
  std::set<uint64_t> keys;
  for (uint32_t i = 0; i < op_->kernel_count; ++i) {
    if (op_->kernels[i]->tiling_key != OPK_ANY_TILING_KEY) keys.insert(op_->kernels[i]->tiling_key);
  }
  return keys;
}

Result<CoverRun> InProcess::cover(SharedPlan plan, CoverKind kind, core::DryAnswer answer,
                                  Ports inputs) {
  const uint32_t room = kind == CoverKind::kRoomy ? kRoomForAnyTile : 1;
  OPKIT_TRY(OpRunner * runner, this->runner({plan->soc->name, 1, room}));
  core::Cover observer;
  CoverRun run;
  run.plan = plan;
  std::vector<std::vector<const void*>> at;
  if (kind == CoverKind::kReal) {
    OPKIT_TRY(PreparedRun prepared, runner->bind_memory(plan, std::move(inputs)));
    prepared.poison();
    run.faults = prepared.launch(&observer).faults;
    for (const PortTensors& port : prepared.outputs()) {
      at.emplace_back();
      for (const Tensor& tensor : port) at.back().push_back(tensor.data());
    }
  } else {
    DryLaunchOptions options;
    options.answer = answer;
    OPKIT_TRY(DryLaunch launch, launch_dry(plan, runner->machine(), observer, options));
    run.faults = std::move(launch.report.faults);
    run.dry = std::move(launch.dry);
    for (const auto& port : launch.at.outputs) at.emplace_back(port.begin(), port.end());
  }
  run.report = observer.take_report();
  run.outputs = take_outputs(run.report, *plan, at);
  return run;
}

std::vector<std::string> InProcess::writers_of(Invocation invocation, size_t port, size_t tensor,
                                               int64_t element) {
  auto prepared = prepare(std::move(invocation));
  if (!prepared.ok()) return {};
  const Tensor& output = prepared->outputs().at(port).at(tensor);
  const int64_t stored_at = prepared->output_layouts().at(port).at(tensor).place_of(element);
  const int64_t elements = std::max<int64_t>(output.elements(), 1);
  const uint64_t bytes =
      std::max<uint64_t>(output.size_bytes() / static_cast<uint64_t>(elements), 1);
  const auto* base = reinterpret_cast<const uint8_t*>(output.data());
  WriteTracer tracer(base + output.size_bytes() * static_cast<uint64_t>(stored_at) /
                                static_cast<uint64_t>(elements),
                     bytes);
  prepared->launch(&tracer);
  std::vector<std::string> told;
  for (const WriteEvent& event : tracer.events()) {
    const std::string where = place(event.pc);
    told.push_back(fmt::format("written by block {}{}: {}{}{}", event.block,
                               event.sub_block >= 0 ? fmt::format(".{}", event.sub_block) : "",
                               event.instruction, where.empty() ? "" : " at " + where,
                               fmt::format(", time {} there", event.occurrence)));
  }
  if (told.empty()) told.emplace_back("no instruction wrote it");
  return told;
}

}  // namespace opkit
