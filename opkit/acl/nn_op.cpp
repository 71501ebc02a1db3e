#include "opkit/acl/nn_op.h"

#include "registry/registry.h"

namespace opkit::acl {

Result<const NnOp*> NnOps::find(const std::string& op, const std::string& soc) {
  std::unique_ptr<NnOp>& known = ops_[op];
  if (known) return known.get();
  const registry::Registry registry = registry::Registry::open();
  OPKIT_TRY(const registry::Resolution found, registry.resolve({.op = op, .soc = soc}));
  registry::LoadOptions options;
  options.probe = false;  // it was probed when it was installed; here it runs in the program
  OPKIT_TRY(registry::Plugin plugin,
            registry::Plugin::load(found.package, registry.host(), options));
  OPKIT_TRY(OpContract contract, OpContract::load(found.package.contract_path()));
  known = std::make_unique<NnOp>(NnOp{std::move(plugin), std::move(contract)});
  return known.get();
}

}  // namespace opkit::acl
