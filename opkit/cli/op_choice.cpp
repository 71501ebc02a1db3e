#include "opkit/cli/op_choice.h"

#include <fmt/format.h>

#include "opkit/cli/contract_path.h"
#include "opkit/cli/opp_option.h"
#include "registry/package.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

Result<registry::Package> resolve(const std::string& op, const std::string& soc,
                                  const Arguments& arguments, Console& console) {
  const registry::Registry registry = open_registry(arguments, console);
  OPKIT_TRY(const registry::Resolution resolution,
            registry.resolve({.op = op,
                              .soc = soc,
                              .version = arguments.get("--version"),
                              .vendor = arguments.get("--vendor")}));
  for (const Error& note : resolution.notes) console.note(note);
  return resolution.package;
}

Result<registry::Package> package_at(const PackageFolder& folder, const std::string& soc) {
  const registry::PackageCheck check =
      registry::check_package(folder.path, registry::HostFacts::of_this_process());
  if (!check.usable()) return check.worst().error;
  if (!soc.empty()) OPKIT_CHECK(registry::check_soc(check.package.manifest, soc));
  return check.package;
}

}  // namespace

std::vector<Flag> choice_flags() {
  return {opp_flag(),
          {.name = "--vendor", .value = "NAME", .help = "of an installed op: this vendor's"},
          {.name = "--version", .value = "X.Y.Z", .help = "of an installed op: this version"}};
}

Result<OpContract> choose_contract(const std::string& word, const Arguments& arguments,
                                   Console& console) {
  if (!is_path(word)) {
    OPKIT_TRY(const registry::Package package, resolve(word, "", arguments, console));
    return OpContract::load(package.contract_path());
  }
  std::error_code ignored;
  if (word.ends_with(".opkg") && fs::is_regular_file(word, ignored)) {
    OPKIT_TRY(const PackageFolder folder, open_package(word, console));
    return OpContract::load(folder.path / registry::kContractFile);
  }
  OPKIT_TRY(const std::string path, contract_path(word));
  return OpContract::load(path);
}

Result<LoadedOp> load_package(const registry::Package& package, Console& console) {
  registry::LoadOptions options;
  options.probe_options.cache_dir = registry::default_cache_dir();
  OPKIT_TRY(LoadedOp op, load_op(package, options));
  for (size_t i = 1; i < op.differences.size(); ++i) console.note(op.differences[i]);
  if (!op.differences.empty()) return op.differences.front();
  return op;
}

Result<LoadedOp> choose_op(const std::string& word, const std::string& soc,
                           const Arguments& arguments, Console& console) {
  if (!is_path(word)) {
    OPKIT_TRY(const registry::Package package, resolve(word, soc, arguments, console));
    return load_package(package, console);
  }
  OPKIT_TRY(const PackageFolder folder, open_package(word, console));
  OPKIT_TRY(const registry::Package package, package_at(folder, soc));
  OPKIT_TRY(LoadedOp op, load_package(package, console));
  op.unpacked = folder.unpacked;
  return op;
}

}  // namespace opkit::cli
