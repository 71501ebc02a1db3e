#include "registry/package.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/abi/plugin.h"
#include "opkit/base/digest.h"
#include "opkit/contract/op_contract.h"
#include "registry/check_memory.h"
#include "registry/fit.h"
#include "registry/package_files.h"
#include "registry/package_form.h"
#include "registry/signature.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

constexpr const char* kReinstall = "install the package again";

// Collects the findings of one package.
class Checker {
 public:
  Checker(const fs::path& root, const HostFacts& host, const Expected& expected,
          const CheckMemory& memory)
      : host_(host), expected_(expected), memory_(memory) {
    check_.package.root = root;
  }

  PackageCheck run() {
    if (std::optional<IntactPackage> known = memory_.recall(check_.package.root)) {
      check_.package.manifest = std::move(known->manifest);
      check_.package.signer = std::move(known->signer);
      check_.has_manifest = true;
      check_place();
      check_host(known->run_path);
      return std::move(check_);
    }
    const Result<PackageTree> tree = tree_of(check_.package.root);
    std::optional<PackageStamps> stamps;
    if (tree) stamps = stamps_of(check_.package.root, *tree);
    Result<Manifest> manifest = load_manifest(check_.package.root / kManifestName);
    if (!manifest) {
      broken(std::move(manifest).error());
      return std::move(check_);
    }
    check_.package.manifest = *std::move(manifest);
    check_.has_manifest = true;
    check_place();
    const size_t findings = check_.findings.size();
    check_contract();
    check_library();
    check_files(tree);
    if (check_.findings.size() == findings) check_signature();
    if (check_.findings.size() == findings && stamps)
      memory_.keep(check_.package.root, {check_.package.manifest, check_.package.signer,
                                         check_.elf->run_path, *std::move(stamps)});
    check_host(check_.elf ? check_.elf->run_path : std::vector<std::string>());
    return std::move(check_);
  }

 private:
  const Manifest& manifest() const { return check_.package.manifest; }
  void broken(Error error) { add(Defect::kBroken, std::move(error)); }
  void add(Defect defect, Error error) {
    if (error.op.empty()) error.op = manifest().op;
    check_.findings.push_back({defect, std::move(error)});
  }
  void check_place();
  void check_place(const char* key, const std::string& said, const std::string& expected);
  bool check_file(const char* what, const fs::path& path, const std::string& sha256);
  void check_contract();
  void compare_contract(const char* key, const std::string& said, const std::string& mine,
                        const Location& where);
  void check_library();
  void check_recorded(const ElfFacts& facts);
  void check_files(const Result<PackageTree>& tree);
  void check_signature();
  void check_host(const std::vector<std::string>& run_path);

  const HostFacts& host_;
  const Expected& expected_;
  const CheckMemory& memory_;
  PackageCheck check_;
};

void Checker::check_place() {
  check_place("vendor", manifest().vendor, expected_.vendor);
  check_place("op", manifest().op, expected_.op);
  check_place("version", manifest().version, expected_.version);
}

void Checker::check_place(const char* key, const std::string& said, const std::string& expected) {
  if (expected.empty() || said == expected) return;
  broken(Error("OPK-PKG-003",
               fmt::format("the manifest says {} '{}', but the package lies under '{}'", key, said,
                           expected),
               kReinstall)
             .at(manifest().place(key)));
}

// True when the file is there and holds what the manifest says.
bool Checker::check_file(const char* what, const fs::path& path, const std::string& sha256) {
  std::error_code code;
  const fs::file_status status = fs::symlink_status(path, code);
  if (!fs::is_regular_file(status)) {
    broken(Error("OPK-PKG-001",
                 fmt::format("the {} {} is {}", what, path.string(),
                             fs::exists(status) ? "not a plain file" : "missing"),
                 kReinstall)
               .at(manifest().place(fmt::format("{}.file", what))));
    return false;
  }
  const Result<std::string> digest = sha256_file(path);
  if (!digest) return broken(digest.error()), false;
  if (*digest == sha256) return true;
  broken(Error("OPK-PKG-002",
               fmt::format("the {} {} was changed after the package was built: sha256 {}..., the "
                           "manifest says {}...",
                           what, path.string(), digest->substr(0, 12), sha256.substr(0, 12)),
               kReinstall)
             .at(manifest().place(fmt::format("{}.sha256", what))));
  return false;
}

void Checker::check_contract() {
  const fs::path path = check_.package.contract_path();
  if (!check_file("contract", path, manifest().contract_sha256)) return;
  const Result<OpContract> contract = read_contract(path);
  if (!contract) return broken(contract.error());
  compare_contract("op", contract->op, manifest().op, contract->location);
  compare_contract("version", contract->version, manifest().version, contract->location);
  for (const KernelEntry& kernel : manifest().kernels) {
    if (!kernel.column || *kernel.column < contract->column_count()) continue;
    broken(Error("OPK-PKG-004",
                 fmt::format("kernel {} is for column {}, the contract has {} columns (from 0)",
                             kernel.name, *kernel.column, contract->column_count()),
                 "build the package again with `opkit build`")
               .at(manifest().place("kernels")));
  }
}

void Checker::compare_contract(const char* key, const std::string& said, const std::string& mine,
                               const Location& where) {
  if (said == mine) return;
  broken(Error("OPK-PKG-004",
               fmt::format("the contract says {} '{}', the manifest says '{}'", key, said, mine),
               "build the package again with `opkit build`")
             .at(where));
}

void Checker::check_library() {
  const fs::path path = check_.package.library_path();
  if (!check_file("library", path, manifest().library_sha256)) return;
  Result<ElfFacts> facts = read_elf_file(path);
  if (!facts) return broken(std::move(facts).error());
  check_recorded(*facts);
  check_.elf = *std::move(facts);
}

void Checker::check_recorded(const ElfFacts& facts) {
  for (Error& error : compare_with_manifest(facts, manifest())) broken(std::move(error));
  for (Error& error : check_reach(facts, manifest().library_file, manifest().place("library.file")))
    broken(std::move(error));
}

void Checker::check_files(const Result<PackageTree>& tree) {
  if (!tree) return broken(tree.error());
  for (Error& error : check_declared(check_.package.root, *tree, manifest()))
    broken(std::move(error));
}

// REQUIRES: the files are those of the manifest.
void Checker::check_signature() {
  Result<std::string> signer = signer_of(check_.package.root, manifest());
  if (!signer) return broken(std::move(signer).error());
  check_.package.signer = *std::move(signer);
}

void Checker::check_host(const std::vector<std::string>& run_path) {
  for (Error& error : check_fit(manifest(), run_path, check_.package.library_path(), host_)) {
    add(Defect::kUnfit, std::move(error));
  }
}

}  // namespace

std::string Package::to_string() const {
  return fmt::format("{} {} of {}", manifest.op, manifest.version, manifest.vendor);
}

const PackageFinding& PackageCheck::worst() const {
  const auto broken =
      std::find_if(findings.begin(), findings.end(),
                   [](const PackageFinding& finding) { return finding.defect == Defect::kBroken; });
  return broken == findings.end() ? findings.front() : *broken;
}

Result<OpContract> read_contract(const fs::path& path) {
  Result<OpContract> contract = OpContract::load(path);
  if (contract) return contract;
  Error error = std::move(contract).error();
  error.message = fmt::format("the contract is not valid: {}: {}", error.code, error.message);
  error.code = "OPK-PKG-005";
  if (error.action.empty()) error.action = "run `opkit contract check` on it";
  if (error.where.file.empty()) error.where.file = path.string();
  return error;
}

PackageCheck check_package(const fs::path& root, const HostFacts& host, const Expected& expected) {
  return check_package(root, host, expected, CheckMemory({}));
}

PackageCheck check_package(const fs::path& root, const HostFacts& host, const Expected& expected,
                           const CheckMemory& memory) {
  return Checker(root, host, expected, memory).run();
}

Result<Package> usable_package(const fs::path& root, const HostFacts& host,
                               const Expected& expected) {
  return usable_package(root, host, expected, CheckMemory({}));
}

Result<Package> usable_package(const fs::path& root, const HostFacts& host,
                               const Expected& expected, const CheckMemory& memory) {
  PackageCheck check = check_package(root, host, expected, memory);
  if (!check.usable()) return check.worst().error;
  return std::move(check.package);
}

}  // namespace opkit::registry
