#include "opkit/verify/loaded_op.h"

#include <utility>

#include "registry/registry.h"

namespace opkit::verify {

Result<LoadedOp> load_op(const std::filesystem::path& package) {
  const registry::HostFacts host = registry::HostFacts::of_this_process();
  const registry::PackageCheck check = registry::check_package(package, host);
  if (!check.usable()) return check.worst().error;
  registry::LoadOptions options;
  options.probe = false;
  OPKIT_TRY(registry::Plugin plugin, registry::Plugin::load(check.package, host, options));
  OPKIT_TRY(OpContract contract, OpContract::load(check.package.contract_path()));
  return LoadedOp{std::move(plugin), std::move(contract)};
}

}  // namespace opkit::verify
