// The one way in which opkit runs cmake: configuring and compiling a project with this SDK.
#ifndef OPKIT_BUILD_PROJECT_CMAKE_BUILD_H_
#define OPKIT_BUILD_PROJECT_CMAKE_BUILD_H_

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/build/project/build_events.h"
#include "opkit/build/project/sdk.h"

namespace opkit::project {

struct BuildPlan {
  std::filesystem::path project;  // what the user named
  std::filesystem::path source;   // holds CMakeLists.txt
  std::filesystem::path build;
  Sdk sdk;
  int64_t jobs = 0;  // 0: as many as the host has CPUs
  std::string build_type = "Release";
  // Hold what the author's sources, host and kernel, are compiled with: folders of headers,
  // searched after the project's own and before the SDK's, and macros, NAME or NAME=VALUE.
  std::vector<std::string> includes, macros;
  std::string column = {};             // the only one of each contract that is built; empty: all
  std::chrono::seconds time_limit{0};  // limits each step, 0 = no limit
};

// OPK-BUILD-003. What cmake says joins the log, whose whole goes to a file when a step fails. In a
// folder that was configured alike by the same SDK, ninja runs CMake where a file has changed that
// it read.
Status configure(const BuildPlan& plan, std::string& log);

// OPK-BUILD-004. target "" = everything.
Status compile(const BuildPlan& plan, const std::string& target, BuildEvents& events,
               std::string& log);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_CMAKE_BUILD_H_
