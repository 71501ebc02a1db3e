#include "opkit/verify/plugin_executor.h"

namespace opkit::verify {

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
  core::LaunchReport report = prepared.launch();
  if (!report.ok()) return to_error(report.faults.front(), invocation.contract->op);
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
