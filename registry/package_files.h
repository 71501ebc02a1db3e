// The files below a package's directory, as they are: what a manifest declares is compared with
// them.
#ifndef OPKIT_REGISTRY_PACKAGE_FILES_H_
#define OPKIT_REGISTRY_PACKAGE_FILES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "registry/elf.h"
#include "registry/manifest.h"

namespace opkit::registry {

// Paths relative to the package, sorted by their bytes.
struct PackageTree {
  std::vector<std::string> files;
  std::vector<std::string> folders;  // include "" for the package itself
};

// OPK-INSTALL-005 for links, FIFOs, devices, sockets and more than a package may hold; -001 when
// the directory cannot be read.
Result<PackageTree> tree_of(const std::filesystem::path& root);

// OPK-PKG-011 for each file that the manifest does not list, OPK-PKG-001 and -002 for each of
// `files` that is missing or changed. Contract and library are left to their own checks.
Errors check_declared(const std::filesystem::path& root, const PackageTree& tree,
                      const Manifest& manifest);

// OPK-PKG-012 when the library would load files that are neither of the package nor of the system:
// run paths that leave the package, needed libraries by path, filters and auditors.
// `library` is relative to the package.
Errors check_reach(const ElfFacts& facts, const std::string& library, const Location& where);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_PACKAGE_FILES_H_
