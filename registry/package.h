// A package directory (one version of one op of one vendor) and every check that needs no loading.
#ifndef OPKIT_REGISTRY_PACKAGE_H_
#define OPKIT_REGISTRY_PACKAGE_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/contract/op_contract.h"
#include "registry/elf.h"
#include "registry/host.h"
#include "registry/manifest.h"

namespace opkit::registry {

class CheckMemory;

struct Package {
  std::filesystem::path root;
  Manifest manifest;
  std::string signer{};  // the key that signed it (signature.h); empty: it is not signed

  std::filesystem::path contract_path() const { return root / manifest.contract_file; }
  std::filesystem::path library_path() const { return root / manifest.library_file; }
  // "AddRelu 1.0.0 of acme"
  std::string to_string() const;
};

// kBroken: the package is damaged; resolution stops at it rather than use another one unasked.
// kUnfit: intact, but not for this host or SoC; resolution passes it by and says so.
enum class Defect { kBroken, kUnfit };

struct PackageFinding {
  Defect defect = Defect::kBroken;
  Error error;
};

struct PackageCheck {
  Package package;  // the manifest is valid only when has_manifest
  bool has_manifest = false;
  std::optional<ElfFacts> elf;  // when the library could be read
  std::vector<PackageFinding> findings;

  bool usable() const { return findings.empty(); }
  // Returns the first finding that breaks the package, else the first one. REQUIRES: !usable().
  const PackageFinding& worst() const;
};

// What the place of a package says about it; empty members are not compared.
struct Expected {
  std::string vendor{}, op{}, version{};
};

// Makes every check: manifest, agreement with the place, files, digests, contract, signature, ELF
// facts against the manifest and against the host. Loads nothing. All findings are collected. With
// a memory, files that were found intact and are the same ones are not read again, and `elf` stays
// empty; what is found intact is kept there.
PackageCheck check_package(const std::filesystem::path& root, const HostFacts& host,
                           const Expected& expected = {});
PackageCheck check_package(const std::filesystem::path& root, const HostFacts& host,
                           const Expected& expected, const CheckMemory& memory);

// Returns the package in a folder when every check passes. Errors: the worst finding.
Result<Package> usable_package(const std::filesystem::path& root, const HostFacts& host,
                               const Expected& expected = {});
Result<Package> usable_package(const std::filesystem::path& root, const HostFacts& host,
                               const Expected& expected, const CheckMemory& memory);

// Returns the contract of a package, whole. OPK-PKG-005 with the contract's own code inside.
Result<OpContract> read_contract(const std::filesystem::path& path);

// OPK-FIT-008 unless the manifest lists the SoC, its family or nothing (which means every SoC).
Status check_soc(const Manifest& manifest, const std::string& soc);

// Returns the family of a SoC name: "Ascend310B4" -> "Ascend310B", "Ascend910A" -> "Ascend910" (the
// folder names of the vendor's OPP). A family or an unknown name is returned as it is.
std::string soc_family(const std::string& name);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_PACKAGE_H_
