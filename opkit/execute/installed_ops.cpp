#include "opkit/execute/installed_ops.h"

#include <utility>

#include "opkit/execute/in_process.h"

namespace opkit {

struct InstalledOp::Loaded {
  explicit Loaded(LoadedOp loaded)
      : op(std::move(loaded)),
        executor(&op.plugin.op(), op.plugin.package().manifest.library_sha256) {}

  LoadedOp op;
  InProcess executor;
};

InstalledOp::InstalledOp(registry::Package package, OpContract contract, bool probe)
    : package_(std::move(package)), contract_(std::move(contract)), probe_(probe) {}
InstalledOp::~InstalledOp() = default;

Status InstalledOp::load() {
  if (loaded_) return {};
  registry::LoadOptions options;
  options.probe = probe_;
  options.probe_options.cache_dir = registry::default_cache_dir();
  OPKIT_TRY(LoadedOp op, load_op(package_, options));
  if (!op.differences.empty()) return op.differences.front();
  loaded_ = std::make_unique<Loaded>(std::move(op));
  return {};
}

Result<Executor*> InstalledOp::executor() {
  OPKIT_CHECK(load());
  return static_cast<Executor*>(&loaded_->executor);
}

Result<const opk_op_v1*> InstalledOp::table() {
  OPKIT_CHECK(load());
  return &loaded_->op.plugin.op();
}

InstalledOps InstalledOps::open(const registry::Registry& registry, const std::string& soc) {
  return open(registry, soc, registry.op_types(), true);
}

InstalledOps InstalledOps::open(const registry::Registry& registry, const std::string& soc,
                                const std::vector<std::string>& op_types, bool probe) {
  InstalledOps installed;
  for (const std::string& op_type : op_types) {
    auto added = installed.add(registry, soc, op_type, probe);
    if (!added.ok()) installed.notes_.push_back(std::move(added).error());
  }
  return installed;
}

Result<InstalledOp*> InstalledOps::add(const registry::Registry& registry, const std::string& soc,
                                       const std::string& op_type, bool probe) {
  OPKIT_TRY(registry::Resolution found, registry.resolve({.op = op_type, .soc = soc}));
  return add(std::move(found.package), probe);
}

Result<InstalledOp*> InstalledOps::add(registry::Package package, bool probe) {
  OPKIT_TRY(OpContract contract, OpContract::load(package.contract_path()));
  ops_.push_back(std::make_unique<InstalledOp>(std::move(package), std::move(contract), probe));
  return ops_.back().get();
}

InstalledOp* InstalledOps::find(const std::string& op_type) const {
  for (const auto& op : ops_) {
    if (op->contract().op == op_type) return op.get();
  }
  return nullptr;
}

}  // namespace opkit
