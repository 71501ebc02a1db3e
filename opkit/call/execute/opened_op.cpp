#include "opkit/call/execute/opened_op.h"

#include <utility>

#include "opkit/call/declared/declaration.h"
#include "opkit/call/execute/in_process.h"

namespace opkit {

Status open_here(OpenedOp& op, const registry::LoadOptions& load, std::shared_ptr<Runners> runners,
                 uint64_t schedule_seed) {
  OPKIT_TRY(registry::Plugin plugin,
            registry::Plugin::load(op.package, registry::HostFacts::of_this_process(), load));
  op.plugin = std::move(plugin);
  op.tables = &op.plugin->op();
  auto executor = std::make_unique<InProcess>(
      op.tables, op.plugin->package().manifest.library_sha256, std::move(runners));
  executor->set_schedule_seed(schedule_seed);
  op.executor = std::move(executor);
  op.infer = [tables = op.tables](const OpCall& call) { return call_infer(*tables, call); };
  op.runs = kInThisProcess;
  return {};
}

Status take_contract(OpenedOp& op) {
  OPKIT_TRY(op.contract, OpContract::load(op.package.contract_path()));
  if (op.tables->declared) op.differences = check_declaration(*op.tables->declared, op.contract);
  return {};
}

Result<std::shared_ptr<Executor>> executor_of(OpenedOp op) {
  if (!op.differences.empty()) return op.differences.front();
  const auto opened = std::make_shared<OpenedOp>(std::move(op));
  return std::shared_ptr<Executor>(opened, opened->executor.get());
}

}  // namespace opkit
