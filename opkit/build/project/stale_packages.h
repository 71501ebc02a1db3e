// Packages in a build folder that the last build did not make: of an op that has left the project,
// or of the time when it was the only one.
#ifndef OPKIT_BUILD_PROJECT_STALE_PACKAGES_H_
#define OPKIT_BUILD_PROJECT_STALE_PACKAGES_H_

#include <filesystem>
#include <vector>

namespace opkit::project {

// Removes what is in a build's folder of packages and is not part of one of `packages`:
// that folder itself, or folders below it.
void remove_stale_packages(const std::filesystem::path& folder,
                           const std::vector<std::filesystem::path>& packages);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_STALE_PACKAGES_H_
