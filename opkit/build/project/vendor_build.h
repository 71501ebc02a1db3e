// Building a project in the vendor's layout: its host sources say through their OpDefs what the ops
// are, contracts are made of that, and every op becomes a package.
#ifndef OPKIT_BUILD_PROJECT_VENDOR_BUILD_H_
#define OPKIT_BUILD_PROJECT_VENDOR_BUILD_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/build/project/cmake_build.h"

namespace opkit::project {

// Package folders, one per op. An op_contract.yaml of the project takes the place of the one that
// would be made for its op. What the sources do not say goes to the events as notes.
// OPK-BUILD-008: the sources register no OpDef; -009: an op has no kernel source or no tiling
// function.
Result<std::vector<std::filesystem::path>> build_vendor_project(const BuildPlan& plan,
                                                                const std::string& vendor,
                                                                BuildEvents& events);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_VENDOR_BUILD_H_
