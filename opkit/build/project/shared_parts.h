// Parts that ops share (ops/shared of the SDK: loops, tails, tilings), as files of a project of its
// own.
#ifndef OPKIT_BUILD_PROJECT_SHARED_PARTS_H_
#define OPKIT_BUILD_PROJECT_SHARED_PARTS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::project {

// Copies into the project every part that its op_kernel and op_host include, and those that these
// include, so that it builds without `parts`. Files that the project has stay as they are. The
// copies, relative to the project, sorted. Errors: those of reading and writing files.
Result<std::vector<std::string>> add_shared_parts(const std::filesystem::path& parts,
                                                  const std::filesystem::path& project);

// Returns these sources, relative to the project, and what they include of its op_kernel and
// op_host, sorted.
std::vector<std::filesystem::path> with_includes(const std::filesystem::path& project,
                                                 std::vector<std::filesystem::path> sources);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_SHARED_PARTS_H_
