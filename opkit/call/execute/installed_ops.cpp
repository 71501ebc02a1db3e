#include "opkit/call/execute/installed_ops.h"

#include <utility>

#include "opkit/call/execute/opened_op.h"
#include "registry/probe.h"

namespace opkit {

OpenPlugin in_this_process(bool probe) {
  return [probe, runners = std::make_shared<Runners>()](
             const registry::Package& package) -> Result<std::shared_ptr<Executor>> {
    registry::LoadOptions options;
    options.probe = probe;
    options.probe_options.cache_dir = registry::default_cache_dir();
    OpenedOp op;
    op.package = package;
    OPKIT_CHECK(open_here(op, options, runners));
    op.package = op.plugin->package();
    OPKIT_CHECK(take_contract(op));
    return executor_of(std::move(op));
  };
}

InstalledOp::InstalledOp(registry::Package package, OpContract contract, OpenPlugin open)
    : package_(std::move(package)), contract_(std::move(contract)), open_(std::move(open)) {}

Result<Executor*> InstalledOp::executor() {
  if (!executor_) {
    OPKIT_TRY(executor_, open_(package_));
  }
  return executor_.get();
}

Result<SharedPlan> InstalledOp::plan(const std::string& soc, const CallFacts& facts) {
  const std::string key = SharedPlans::key_of(soc, facts);
  if (SharedPlan known = plans_.find(key)) return known;
  OPKIT_TRY(Executor * executor, this->executor());
  OPKIT_TRY(SharedPlan plan, executor->plan(contract_, soc, facts));
  plans_.add(key, plan);
  return plan;
}

InstalledOps InstalledOps::open(const registry::Registry& registry, const std::string& soc,
                                OpenPlugin open) {
  return InstalledOps::open(registry, soc, registry.op_types(), std::move(open));
}

InstalledOps InstalledOps::open(const registry::Registry& registry, const std::string& soc,
                                const std::vector<std::string>& op_types, OpenPlugin open) {
  InstalledOps installed(std::move(open));
  for (const std::string& op_type : op_types) {
    auto added = installed.add(registry, soc, op_type);
    if (!added.ok()) installed.notes_.push_back(std::move(added).error());
  }
  return installed;
}

Result<InstalledOp*> InstalledOps::add(const registry::Registry& registry, const std::string& soc,
                                       const std::string& op_type) {
  OPKIT_TRY(registry::Resolution found, registry.resolve({.op = op_type, .soc = soc}));
  return add(std::move(found.package));
}

Result<InstalledOp*> InstalledOps::add(registry::Package package) {
  OPKIT_TRY(OpContract contract, OpContract::load(package.contract_path()));
  ops_.push_back(std::make_unique<InstalledOp>(std::move(package), std::move(contract), open_));
  return ops_.back().get();
}

const Error* InstalledOps::why_not(const std::string& op_type) const {
  for (const Error& note : notes_) {
    if (note.op == op_type) return &note;
  }
  return nullptr;
}

InstalledOp* InstalledOps::find(const std::string& op_type) const {
  for (const auto& op : ops_) {
    if (op->contract().op == op_type) return op.get();
  }
  return nullptr;
}

}  // namespace opkit
