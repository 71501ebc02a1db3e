#include "opkit/verify/plugin_executor.h"

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

}  // namespace opkit::verify
