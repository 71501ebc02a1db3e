// A plain project: a contract, or those of a family, with op_host and op_kernel, without a build
// file and without OpDefs, which make a project one in the vendor's layout.
// opkit builds it through a CMake project of its own in the build folder.
#ifndef OPKIT_BUILD_PROJECT_PLAIN_PROJECT_H_
#define OPKIT_BUILD_PROJECT_PLAIN_PROJECT_H_

#include <filesystem>
#include <string>

#include "opkit/base/status.h"

namespace opkit::project {

bool is_plain_project(const std::filesystem::path& folder);

// Writes folder/CMakeLists.txt for the project; an unchanged file stays as it is. vendor: empty for
// "customize".
Status write_plain_project(const std::filesystem::path& project,
                           const std::filesystem::path& folder, const std::string& vendor);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_PLAIN_PROJECT_H_
