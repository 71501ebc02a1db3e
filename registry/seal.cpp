#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "opkit/base/digest.h"
#include "opkit/base/file.h"
#include "opkit/contract/kernel_kind.h"
#include "registry/install.h"
#include "registry/package.h"
#include "registry/package_files.h"
#include "registry/package_form.h"
#include "registry/probe.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

Error unfinished(const std::string& what, const std::string& action) {
  return Error("OPK-PKG-008", "the package is not complete: " + what, action);
}

Error no_tiling(const std::string& op) {
  return Error(
      "OPK-PKG-010",
      fmt::format("no file of op_host gives {} a tiling function, so that nothing could say "
                  "on how many cores it runs",
                  op),
      fmt::format("write IMPL_OP_OPTILING({}).Tiling(function) in op_host", op));
}

Error no_class(const std::string& op) {
  return Error("OPK-PKG-014",
               fmt::format("the contract says that {0} runs on the AICPU, and no source has "
                           "REGISTER_CPU_KERNEL for \"{0}\"",
                           op),
               fmt::format("write REGISTER_CPU_KERNEL(\"{}\", ItsClass); behind the class", op));
}

// Returns the only library under op_impl, relative to the package.
Result<std::string> find_library(const fs::path& directory) {
  std::vector<std::string> found;
  std::error_code code;
  for (fs::directory_iterator it(directory / "op_impl", code), end; !code && it != end;
       it.increment(code)) {
    if (it->path().extension() == ".so")
      found.push_back("op_impl/" + it->path().filename().string());
  }
  if (found.size() == 1) return found.front();
  std::sort(found.begin(), found.end());
  return unfinished(
      found.empty() ? fmt::format("there is no op_impl/*.so in {}", directory.string())
                    : fmt::format("op_impl holds several libraries: {}", fmt::join(found, ", ")),
      "a package holds one library; build it with opkit_add_op");
}

Status take_contract(const fs::path& directory, const OpContract& contract, Manifest& manifest) {
  const fs::path path = directory / kContractFile;
  manifest.op = contract.op;
  manifest.version = contract.version;
  manifest.socs = contract.soc;
  manifest.contract_file = kContractFile;
  OPKIT_TRY(manifest.contract_sha256, sha256_file(path));
  return {};
}

Status take_library(const fs::path& directory, Manifest& manifest) {
  OPKIT_TRY(manifest.library_file, find_library(directory));
  const fs::path path = directory / manifest.library_file;
  OPKIT_TRY(const ElfFacts facts, read_elf_file(path));
  OPKIT_TRY(manifest.library_sha256, sha256_file(path));
  manifest.platform = facts.platform;
  manifest.sanitizer = facts.sanitizer();
  manifest.glibc = facts.highest_need("GLIBC");
  manifest.glibcxx = facts.highest_need("GLIBCXX");
  manifest.needed = facts.needed;
  return {};
}

// Takes everything else that lies in the package; a signature of earlier bytes holds no longer.
Status take_files(const fs::path& directory, Manifest& manifest) {
  std::error_code code;
  fs::remove(directory / kSignatureName, code);
  OPKIT_TRY(const PackageTree tree, tree_of(directory));
  for (const std::string& file : tree.files) {
    if (file == kManifestName || file == manifest.contract_file || file == manifest.library_file)
      continue;
    OPKIT_TRY(std::string digest, sha256_file(directory / file));
    manifest.files.push_back({file, std::move(digest)});
  }
  return {};
}

}  // namespace

Status check_tiling_keys(const std::vector<int64_t>& listed,
                         const std::vector<KernelEntry>& kernels) {
  std::set<uint64_t> built;
  for (const KernelEntry& kernel : kernels) {
    if (!kernel.tiling_key) return {};
    built.insert(*kernel.tiling_key);
  }
  for (const int64_t key : listed) {
    if (built.count(static_cast<uint64_t>(key)) != 0) continue;
    return Error(
        "OPK-PKG-009",
        fmt::format("the contract lists tiling key {}, for which no kernel was built; keys "
                    "built: {}",
                    key, fmt::join(built, ", ")),
        "list the keys that the kernel has under kernel.tiling_keys, or leave them out");
  }
  return {};
}

Result<Manifest> seal(const SealRequest& request) {
  Manifest manifest;
  manifest.vendor = request.vendor;
  manifest.kit = request.kit_version;
  OPKIT_TRY(const OpContract contract, read_contract(request.directory / kContractFile));
  OPKIT_CHECK(take_contract(request.directory, contract, manifest));
  OPKIT_CHECK(take_library(request.directory, manifest));
  const HostFacts host = HostFacts::of_this_process();
  OPKIT_TRY(const PluginFacts facts,
            probe_library(request.directory / manifest.library_file, host));
  OPKIT_CHECK(take_files(request.directory, manifest));
  manifest.abi = facts.abi;
  manifest.kernels = facts.kernels;
  OPKIT_CHECK(check_facts(facts, {request.directory, manifest}));
  const auto of_author = [&](Error error, Location where) {
    if (!request.contract.empty()) where.file = request.contract.string();
    return std::move(error).at(std::move(where)).of(contract.op);
  };
  if (is_aicpu(contract) && facts.kernels.empty())
    return of_author(no_class(contract.op), contract.kernel->where);
  if (!facts.tiles) return of_author(no_tiling(contract.op), contract.location);
  if (contract.kernel) {
    Status keys = check_tiling_keys(contract.kernel->tiling_keys, manifest.kernels);
    if (!keys.ok()) return of_author(std::move(keys).error(), contract.kernel->where);
  }
  const fs::path path = request.directory / kManifestName;
  // What is written must be readable: a bad vendor or op name is refused here, not at installation.
  OPKIT_TRY(Manifest result, parse_manifest(to_yaml(manifest), path.string()));
  OPKIT_CHECK(write_file(path, to_yaml(manifest)));
  return result;
}

}  // namespace opkit::registry
