#include "opkit/verify/plugin_executor.h"

#include <string_view>

#include "opkit/core/modes/checked.h"

namespace opkit::verify {
namespace {

// What the engine refused, or the first mistake that the Checked mode saw.
Status launch(PreparedRun& prepared, const std::string& op, bool checked, uint64_t seed) {
  if (!checked) {
    const core::LaunchReport report = prepared.launch(nullptr, seed);
    return report.ok() ? Status() : to_error(report.faults.front(), op);
  }
  core::CheckedOptions options;
  options.needless_sync = false;  // advice, not a mistake
  core::Checked observer(options);
  const core::LaunchReport report = prepared.launch(&observer, seed);
  const core::CheckedReport seen = observer.take_report(report);
  for (const core::Finding& finding : seen.findings) {
    if (finding.warning) continue;
    Error error(finding.code, finding.message, finding.action);
    return std::move(error).of(op).with(finding.at.instruction);
  }
  return report.ok() ? Status() : to_error(report.faults.front(), op);
}

// Ranges whose bytes no dry run computes: everything but the tiling, lists of tensors and inputs
// that the host has filled.
std::vector<core::GmRange> unbacked(const PreparedRun& prepared) {
  std::vector<core::GmRange> ranges;
  const auto reserved = [](const Ports& ports, const uint8_t* base) {
    for (const auto& port : ports) {
      for (const Tensor& tensor : port) {
        if (tensor.is_reserved() && reinterpret_cast<const uint8_t*>(tensor.data()) == base)
          return true;
      }
    }
    return false;
  };
  for (const core::GmRange& range : prepared.gm()) {
    if (std::string_view(range.name) == "workspace" || reserved(prepared.inputs(), range.base) ||
        reserved(prepared.outputs(), range.base))
      ranges.push_back(range);
  }
  return ranges;
}

}  // namespace

Result<OpRunner*> PluginExecutor::runner(const std::string& soc, unsigned threads) {
  std::unique_ptr<OpRunner>& runner = runners_[{soc, threads}];
  if (!runner) {
    OPKIT_TRY(const SocMatch match, find_soc(soc));
    runner = std::make_unique<OpRunner>(*match.spec, threads);
  }
  return runner.get();
}

Result<Execution> PluginExecutor::run(Invocation invocation) {
  OPKIT_TRY(OpRunner * runner, this->runner(invocation.soc, invocation.threads));
  RunRequest request;
  request.contract = invocation.contract;
  request.op = op_;
  request.inputs = std::move(invocation.inputs);
  request.attrs = std::move(invocation.attrs);
  OPKIT_TRY(PreparedRun prepared, runner->prepare(std::move(request)));
  prepared.poison();
  const uint64_t seed = invocation.schedule_seed ? invocation.schedule_seed : schedule_seed_;
  OPKIT_CHECK(launch(prepared, invocation.contract->op, invocation.checked, seed));
  Execution execution;
  execution.outputs = prepared.outputs();
  execution.inputs = prepared.inputs();
  execution.column = prepared.binding().column;
  execution.tiling_key = prepared.plan().key;
  execution.block_dim = prepared.plan().block_dim;
  execution.tiling_data = prepared.plan().data;
  execution.workspaces = prepared.plan().workspaces;
  return execution;
}

// Enough for any tile: memories of 16 MiB and more.
Result<OpRunner*> PluginExecutor::roomy_runner(const std::string& soc) {
  constexpr uint32_t kFactor = 64;
  std::unique_ptr<OpRunner>& runner = roomy_[soc];
  if (!runner) {
    OPKIT_TRY(const SocMatch match, find_soc(soc));
    runner = std::make_unique<OpRunner>(*match.spec, 1, kFactor);
  }
  return runner.get();
}

Result<CoverRun> PluginExecutor::cover(Invocation invocation, CoverKind kind,
                                       core::DryAnswer answer) {
  OPKIT_TRY(OpRunner * runner, kind == CoverKind::kRoomy ? roomy_runner(invocation.soc)
                                                         : this->runner(invocation.soc, 1));
  RunRequest request;
  request.contract = invocation.contract;
  request.op = op_;
  request.inputs = std::move(invocation.inputs);
  request.attrs = std::move(invocation.attrs);
  request.dry = kind != CoverKind::kReal;
  const bool dry = request.dry;
  OPKIT_TRY(PreparedRun prepared, runner->prepare(std::move(request)));
  if (!dry) prepared.poison();
  core::CoverOptions options;
  options.dry = dry;
  options.answer = answer;
  if (dry) options.unbacked = unbacked(prepared);
  core::Cover observer(std::move(options));
  CoverRun run;
  run.faults = prepared.launch(&observer).faults;
  run.report = observer.take_report();
  run.outputs = prepared.outputs();
  run.column = prepared.binding().column;
  run.tiling_key = prepared.plan().key;
  run.block_dim = prepared.plan().block_dim;
  run.tiling_data = prepared.plan().data;
  return run;
}

}  // namespace opkit::verify
