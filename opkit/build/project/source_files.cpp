#include "opkit/build/project/source_files.h"

#include <algorithm>

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

// Folders whose sources are not of this build.
bool is_foreign(const std::string& folder) {
  static const std::set<std::string> kForeign = {"tests",  "test",   "ut",    "st",
                                                 "config", "op_api", "build", "build_out"};
  const bool other_arch = folder.rfind("arch3", 0) == 0 || folder.rfind("arch5", 0) == 0;
  return other_arch || kForeign.count(folder) != 0;
}

}  // namespace

std::vector<fs::path> files_below(const fs::path& folder, const std::set<std::string>& extensions) {
  constexpr size_t kMost = 4096;
  std::vector<fs::path> found;
  std::error_code failure;
  fs::recursive_directory_iterator walk(folder, failure);
  for (; !failure && walk != fs::recursive_directory_iterator(); walk.increment(failure)) {
    if (walk->is_directory(failure) && is_foreign(walk->path().filename().string())) {
      walk.disable_recursion_pending();
    } else if (extensions.count(walk->path().extension().string()) != 0) {
      found.push_back(fs::absolute(walk->path()).lexically_normal());
    }
    if (found.size() >= kMost) break;
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace opkit::project
