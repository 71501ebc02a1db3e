#include "opkit/project/op_project.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/project/vendor_project.h"
#include "registry/package.h"

namespace opkit::project {
namespace fs = std::filesystem;

fs::path build_folder(const fs::path& project) { return project / "build"; }

std::vector<fs::path> built_packages(const fs::path& project) {
  constexpr int kDepth = 4;  // several ops: package/<vendor>/<op>/<version>
  std::vector<fs::path> found;
  std::error_code failure;
  const fs::path top = build_folder(project) / "package";
  if (fs::exists(top / registry::kContractFile, failure)) return {top};
  fs::recursive_directory_iterator walk(top, failure);
  for (; !failure && walk != fs::recursive_directory_iterator(); walk.increment(failure)) {
    if (walk.depth() >= kDepth) walk.disable_recursion_pending();
    if (fs::exists(walk->path() / registry::kContractFile)) {
      found.push_back(walk->path());
      walk.disable_recursion_pending();
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool is_project(const fs::path& folder) {
  std::error_code ignored;
  return (fs::exists(folder / "CMakeLists.txt", ignored) &&
          fs::exists(folder / "op_contract.yaml", ignored)) ||
         is_vendor_project(folder);
}

Result<fs::path> package_of_project(const fs::path& path) {
  std::vector<fs::path> packages = built_packages(path);
  std::erase_if(packages,
                [](const fs::path& each) { return !fs::exists(each / registry::kManifestName); });
  if (packages.size() == 1) return packages.front();
  if (packages.empty()) {
    return Error("OPK-BUILD-005", fmt::format("{} is not built", path.string()),
                 fmt::format("opkit build {}", path.string()));
  }
  std::string names;
  for (const fs::path& each : packages) names += "\n    " + each.string();
  return Error("OPK-BUILD-006",
               fmt::format("{} has {} packages:{}", path.string(), packages.size(), names),
               "name one of these directories");
}

}  // namespace opkit::project
