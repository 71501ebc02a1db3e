// From an op project to its packages.
#ifndef OPKIT_BUILD_PROJECT_PROJECT_BUILD_H_
#define OPKIT_BUILD_PROJECT_PROJECT_BUILD_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/build/project/build_events.h"
#include "opkit/build/project/sdk.h"
#include "registry/package.h"

namespace opkit::project {

struct BuildRequest {
  std::filesystem::path project;
  std::filesystem::path build;  // empty: <project>/build
  Sdk sdk;
  int64_t jobs = 0;  // 0: as many as the host has CPUs
  std::string build_type = "Release";
  std::vector<std::string> includes, macros;  // are what BuildPlan takes
  // Names the vendor of a project in the vendor's layout; empty: what its presets say.
  std::string vendor;
  std::string column = {};  // is what BuildPlan takes
  bool clean = false;       // forget what was built before
};

// Returns the packages, each one that this host takes. A record of the sources goes to the build
// folder. OPK-BUILD-001: no project; -003, -004: cmake, the compiler; -007: no package came of it;
// OPK-ENV-004: the build folder cannot be made; of vendor's layouts, as build_vendor_project().
Result<std::vector<registry::Package>> build_project(const BuildRequest& request,
                                                     BuildEvents& events);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_PROJECT_BUILD_H_
