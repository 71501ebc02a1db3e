// An op project: the folder that `opkit new` makes and `opkit build` builds.
#ifndef OPKIT_BUILD_PROJECT_OP_PROJECT_H_
#define OPKIT_BUILD_PROJECT_OP_PROJECT_H_

#include <filesystem>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::project {

// <project>/build
std::filesystem::path build_folder(const std::filesystem::path& project);

// Package directories below <project>/build/package that hold a contract, sorted.
std::vector<std::filesystem::path> built_packages(const std::filesystem::path& project);

// Tells whether the folder holds a project with a contract, or those of a family: it has a
// CMakeLists.txt or is plain.
bool is_opkit_project(const std::filesystem::path& folder);
// Tells whether the folder holds a project's sources: opkit's own or the vendor's layout.
bool is_project(const std::filesystem::path& folder);

// Returns the packages of a built project, one or more. OPK-BUILD-005 not built.
Result<std::vector<std::filesystem::path>> packages_of_project(
    const std::filesystem::path& project);

// Returns the one package of a built project. OPK-BUILD-005 not built, -006 several packages.
Result<std::filesystem::path> package_of_project(const std::filesystem::path& project);

// Returns the package of one contract of contracts_of(). OPK-BUILD-005 not built.
Result<std::filesystem::path> package_of_contract(const std::filesystem::path& contract);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_OP_PROJECT_H_
