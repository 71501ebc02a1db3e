// Installing and removing packages. Everything is checked first; what is visible in an OPP changes
// by one rename; a failure leaves the OPP as it was. Installers of one OPP exclude one another.
#ifndef OPKIT_REGISTRY_INSTALL_H_
#define OPKIT_REGISTRY_INSTALL_H_

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "registry/package.h"
#include "registry/probe.h"
#include "registry/vendor_layout.h"

namespace opkit::registry {

struct InstallRequest {
  std::filesystem::path source{};  // package directory or archive (see archive.h)
  std::filesystem::path opp{};     // created when absent
  bool force = false;              // replace the same version
  bool upgrade = false;            // only above what the vendor has installed of the op
  bool to_front = true;            // move the vendor to the front of load_priority
  bool probe = true;               // load the library in a child process first
  // Holds the keys that the user knows (key_store.h); may be empty.
  std::filesystem::path key_folder{};
  std::chrono::seconds lock_timeout{30};
  ProbeOptions probe_options{};
  const LayoutMaker* layout = nullptr;  // makes the files for build files (vendor_layout.h)
};

struct InstallReport {
  Package package;  // describes what was installed
  bool replaced = false;
  bool new_owner = false;  // its key owns the vendor's name from now on
  // Lists versions of the same op and vendor that lie side by side.
  std::vector<std::string> other_versions;
  std::vector<std::string> load_priority;  // afterwards
};

// Refusals: those of check_package, probe and admit (trust.h), and OPK-INSTALL-001..010.
Result<InstallReport> install(const InstallRequest& request, const HostFacts& host);

struct UninstallRequest {
  std::filesystem::path opp{};
  std::string op{};
  std::string version{};  // empty: the only one there is
  std::string vendor{};   // empty: the only one that has the op
  bool all_versions = false;
  std::chrono::seconds lock_timeout{30};
  const LayoutMaker* layout = nullptr;  // makes the files for build files, as when installing
};

struct UninstallReport {
  struct Removed {
    std::string vendor, op, version;
  };
  std::vector<Removed> removed;
  std::vector<std::string> load_priority;  // afterwards
};

// OPK-INSTALL-006 nothing to remove, -007 several match and the request does not say which.
Result<UninstallReport> uninstall(const UninstallRequest& request);

// Makes a built package directory complete: reads op, version and SoCs from its contract and the
// library's facts from op_impl/*.so (one file), learns the kernels in a child process and writes
// manifest.yaml.
struct SealRequest {
  std::filesystem::path directory;  // op_proto/op_contract.yaml and op_impl/lib<snake>.so are there
  std::string vendor;
  std::string kit_version;
  // Where the author wrote the contract; messages name its lines. Empty: op_proto/op_contract.yaml.
  std::filesystem::path contract = {};
};
// OPK-PKG-008 to -010.
Result<Manifest> seal(const SealRequest& request);

// Every tiling key that a contract lists must have been built; a kernel for any key serves all.
// OPK-PKG-009.
Status check_tiling_keys(const std::vector<int64_t>& listed,
                         const std::vector<KernelEntry>& kernels);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_INSTALL_H_
