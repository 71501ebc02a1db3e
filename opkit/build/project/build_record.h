// What a build was made of: a file in the build folder that tells whether packages are older than
// their sources.
#ifndef OPKIT_BUILD_PROJECT_BUILD_RECORD_H_
#define OPKIT_BUILD_PROJECT_BUILD_RECORD_H_

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/build/project/cmake_build.h"

namespace opkit::project {

struct BuildRecord {
  std::filesystem::path project;              // absolute
  std::string sdk;                            // identity_of()
  std::string build_type, vendor;             // are as they were asked for
  std::vector<std::string> includes, macros;  // are as they were asked for
  // SHA-256 of every file: contract, sources, what they include outside of the SDK. Names below the
  // project are relative to it.
  std::map<std::string, std::string> files;
  std::map<std::string, std::string> packages;  // folder in the build folder: SHA-256 of manifest
};

// Writes the record of a build that began at `begin`. Files that changed since then count as
// changed after it. A record that says the same already stays.
Status record_build(const BuildPlan& plan, const std::string& vendor,
                    const std::vector<std::filesystem::path>& packages,
                    std::filesystem::file_time_type begin);

// Returns the record of the build that made the package; absent when opkit built it elsewhere or
// not at all.
std::optional<BuildRecord> record_of(const std::filesystem::path& package);

// Returns what differs between the record and the project's files now, as "op_kernel/add.cpp has
// changed"; absent: nothing does.
std::optional<std::string> source_change(const BuildRecord& record,
                                         const std::filesystem::path& project);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_BUILD_RECORD_H_
