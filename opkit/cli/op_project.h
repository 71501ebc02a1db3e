// An op project: the folder that `opkit new` makes and `opkit build` builds.
#ifndef OPKIT_CLI_OP_PROJECT_H_
#define OPKIT_CLI_OP_PROJECT_H_

#include <filesystem>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::cli {

// <project>/build
std::filesystem::path build_folder(const std::filesystem::path& project);

// Package directories below <project>/build/package that hold a contract, sorted.
std::vector<std::filesystem::path> built_packages(const std::filesystem::path& project);

// What `install` and `test` take: an archive or a package directory as it is, or the one package of
// a built project. OPK-BUILD-005 not built, -006 several packages, OPK-FILE-001 nothing there.
Result<std::filesystem::path> package_source(const std::filesystem::path& path);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OP_PROJECT_H_
