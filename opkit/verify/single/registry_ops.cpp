#include "opkit/verify/single/registry_ops.h"

#include <fmt/format.h>

#include <utility>

#include "opkit/isolation/open_op.h"

namespace opkit::verify {

struct RegistryOps::Loaded {
  OpenedOp opened;
  UnfusedOp op;
};

RegistryOps::RegistryOps(const registry::Registry& registry) : registry_(registry) {}
RegistryOps::~RegistryOps() = default;

const UnfusedOp* RegistryOps::find(const std::string& op_type) {
  const auto [place, fresh] = loaded_.try_emplace(op_type);
  std::unique_ptr<Loaded>& loaded = place->second;
  if (!fresh) return loaded ? &loaded->op : nullptr;
  const auto resolution = registry_.resolve({.op = op_type});
  if (!resolution.ok()) return nullptr;
  const registry::Package& package = resolution->package;
  auto contract = OpContract::load(package.contract_path());
  if (!contract.ok() || !computes_only(*contract, op_type)) return nullptr;
  auto opened = open_op(package);
  if (!opened.ok()) return nullptr;
  loaded = std::make_unique<Loaded>(Loaded{std::move(opened).value(), {}});
  const OpContract& own = loaded->opened.contract;
  loaded->op = {&own, loaded->opened.executor.get(),
                fmt::format("{} {} of {}", op_type, own.version, package.manifest.vendor)};
  return &loaded->op;
}

bool computes_only(const OpContract& contract, const std::string& op_type) {
  if (contract.reference.size() != 1) return false;
  const ReferenceNode& node = contract.reference.front();
  return node.op == op_type && !node.when;
}

}  // namespace opkit::verify
