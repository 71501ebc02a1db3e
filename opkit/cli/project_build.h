// Building a CMake project with this SDK and judging what came out.
#ifndef OPKIT_CLI_PROJECT_BUILD_H_
#define OPKIT_CLI_PROJECT_BUILD_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/cli/progress.h"
#include "opkit/cli/sdk.h"
#include "registry/package.h"

namespace opkit::cli {

struct BuildPlan {
  std::filesystem::path project;  // what the user named
  std::filesystem::path source;   // holds CMakeLists.txt
  std::filesystem::path build;
  Sdk sdk;
  int64_t jobs = 0;
  std::string build_type;
  // Of the author's sources, host and kernel: folders of headers, searched after the project's own
  // and before the SDK's, and macros, NAME or NAME=VALUE.
  std::vector<std::string> includes, macros;
};

// OPK-BUILD-003. What cmake says joins the log, whose whole goes to a file when a step fails.
Status configure(const BuildPlan& plan, std::string& log);

// OPK-BUILD-004. target "" = everything.
Status compile(const BuildPlan& plan, const std::string& target, Progress& progress,
               std::string& log);

// What was built must be a package that this host takes. OPK-BUILD-007: there is none.
Result<registry::Package> built_package(const BuildPlan& plan, const std::filesystem::path& folder);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_PROJECT_BUILD_H_
