// The source files of a project.
#ifndef OPKIT_BUILD_PROJECT_SOURCE_FILES_H_
#define OPKIT_BUILD_PROJECT_SOURCE_FILES_H_

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace opkit::project {

// Files below a folder with one of these extensions (".cpp"), absolute and sorted. Folders of tests
// and for other chips' architectures (arch35 ...) are left out, and symbolic links to folders.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder,
                                               const std::set<std::string>& extensions);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_SOURCE_FILES_H_
