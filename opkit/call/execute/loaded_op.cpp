#include "opkit/call/execute/loaded_op.h"

#include <utility>

#include "opkit/call/declared/declaration.h"
#include "registry/registry.h"

namespace opkit {

Result<LoadedOp> load_op(const registry::Package& package, const registry::LoadOptions& options) {
  OPKIT_TRY(registry::Plugin plugin,
            registry::Plugin::load(package, registry::HostFacts::of_this_process(), options));
  OPKIT_TRY(OpContract contract, OpContract::load(package.contract_path()));
  Errors differences;
  if (const opk_declared_v1* declared = plugin.op().declared)
    differences = check_declaration(*declared, contract);
  return LoadedOp{nullptr, std::move(plugin), std::move(contract), std::move(differences)};
}

Result<LoadedOp> load_op(const std::filesystem::path& folder) {
  const registry::PackageCheck check =
      registry::check_package(folder, registry::HostFacts::of_this_process());
  if (!check.usable()) return check.worst().error;
  registry::LoadOptions options;
  options.probe = false;
  return load_op(check.package, options);
}

}  // namespace opkit
