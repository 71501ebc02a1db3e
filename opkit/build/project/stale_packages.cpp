#include "opkit/build/project/stale_packages.h"

#include <algorithm>

#include "registry/package_form.h"

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

bool leads_to(const fs::path& folder, const fs::path& package) {
  const auto [end, ignored] =
      std::mismatch(folder.begin(), folder.end(), package.begin(), package.end());
  return end == folder.end();
}

}  // namespace

void remove_stale_packages(const fs::path& folder, const std::vector<fs::path>& packages) {
  std::error_code ignored;
  const fs::path top = fs::weakly_canonical(folder, ignored);
  std::vector<fs::path> made;
  for (const fs::path& package : packages) made.push_back(fs::weakly_canonical(package, ignored));
  const bool whole = std::find(made.begin(), made.end(), top) != made.end();
  std::vector<fs::path> stale;
  for (const auto& entry : fs::directory_iterator(top, ignored)) {
    const fs::path& path = entry.path();
    // A package's own folders hold no package.
    const bool kept = whole ? !fs::exists(path / registry::kManifestName, ignored)
                            : std::ranges::any_of(made, [&](const fs::path& package) {
                                return leads_to(path, package);
                              });
    if (!kept) stale.push_back(path);
  }
  for (const fs::path& path : stale) fs::remove_all(path, ignored);
}

}  // namespace opkit::project
