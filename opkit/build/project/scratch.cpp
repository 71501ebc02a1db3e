#include "opkit/build/project/scratch.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

constexpr const char* kPrefix = "opkit-scratch-";

// Says whether the folder is this user's: others may write to the same place, and theirs stays.
bool is_own_folder(const fs::path& path) {
  struct stat facts = {};
  return ::lstat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == geteuid();
}

fs::path place() {
  std::error_code failed;
  const fs::path path = fs::temp_directory_path(failed);
  return failed ? fs::path() : path;
}

}  // namespace

// Makes the folder and takes its lease: until then another command takes the folder for a leftover,
// and another one is made.
Scratch::Scratch() {
  for (const fs::path& path : left_over()) registry::remove_unless_leased(path);
  const fs::path parent = place();
  while (path_.empty() && !parent.empty()) {
    std::string name = (parent / kPrefix).string() + "XXXXXX";
    if (mkdtemp(name.data()) == nullptr) return;
    lease_ = std::make_unique<registry::PackageLease>(name);
    std::error_code ignored;
    if (lease_->holds() || fs::exists(name, ignored)) path_ = name;
  }
}

Scratch::~Scratch() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

Status Scratch::check() const {
  if (!path_.empty()) return {};
  return Error("OPK-ENV-004", "cannot make a folder for temporary files",
               "set TMPDIR to a folder that you may write");
}

std::vector<fs::path> Scratch::left_over() {
  std::vector<fs::path> found;
  std::error_code code;
  for (fs::directory_iterator it(place(), code), end; !code && it != end; it.increment(code)) {
    const bool named = it->path().filename().string().starts_with(kPrefix);
    if (named && is_own_folder(it->path()) && !registry::is_leased(it->path()))
      found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace opkit::project
