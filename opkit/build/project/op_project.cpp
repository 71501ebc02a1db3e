#include "opkit/build/project/op_project.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/shell_word.h"
#include "opkit/build/project/contract_files.h"
#include "opkit/build/project/plain_project.h"
#include "opkit/build/project/vendor_project.h"
#include "registry/package_form.h"

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

Error not_built(const fs::path& project) {
  return Error("OPK-BUILD-005", fmt::format("{} is not built", project.string()),
               "opkit build " + shell_word(project.string()));
}

}  // namespace

fs::path build_folder(const fs::path& project) { return project / "build"; }

std::vector<fs::path> built_packages(const fs::path& project) {
  constexpr int kDepth = 4;  // several ops: package/<vendor>/<op>/<version>
  std::vector<fs::path> found;
  std::error_code failure;
  fs::path top = build_folder(project) / "package";
  // The vendor's build.sh has a folder of its own.
  if (!fs::exists(top, failure) && fs::exists(project / "build_out", failure))
    top = project / "build_out" / "opkit" / "package";
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

bool is_opkit_project(const fs::path& folder) {
  std::error_code ignored;
  return is_plain_project(folder) ||
         (fs::exists(folder / "CMakeLists.txt", ignored) && !contracts_of(folder).empty());
}

bool is_project(const fs::path& folder) {
  return is_opkit_project(folder) || is_vendor_project(folder);
}

Result<std::vector<fs::path>> packages_of_project(const fs::path& path) {
  std::vector<fs::path> packages = built_packages(path);
  std::erase_if(packages,
                [](const fs::path& each) { return !fs::exists(each / registry::kManifestName); });
  if (packages.empty()) return not_built(path);
  return packages;
}

Result<fs::path> package_of_project(const fs::path& path) {
  OPKIT_TRY(const std::vector<fs::path> packages, packages_of_project(path));
  if (packages.size() == 1) return packages.front();
  std::string names;
  for (const fs::path& each : packages) names += "\n    " + each.string();
  return Error("OPK-BUILD-006",
               fmt::format("{} has {} packages:{}", path.string(), packages.size(), names),
               "name one of these directories");
}

Result<fs::path> package_of_contract(const fs::path& contract) {
  const fs::path package =
      build_folder(contract.parent_path()) / "package" / package_name(contract);
  if (fs::exists(package / registry::kManifestName)) return package;
  return not_built(contract.parent_path());
}

}  // namespace opkit::project
