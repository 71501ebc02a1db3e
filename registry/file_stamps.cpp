#include "registry/file_stamps.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

namespace opkit::registry {
namespace {

constexpr int64_t kMoment = 2'000'000'000;  // nanoseconds

int64_t nanoseconds(const timespec& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// The package itself may be behind a link; nothing in it may.
const char* entry_of(const std::string& name) { return name.empty() ? "." : name.c_str(); }

}  // namespace

std::optional<FileStamp> stamp_at(int folder, const char* name) {
  struct stat facts = {};
  if (::fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  if (!S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)) return std::nullopt;
  return FileStamp{facts.st_dev, facts.st_ino, static_cast<uint64_t>(facts.st_size),
                   nanoseconds(facts.st_mtim), nanoseconds(facts.st_ctim)};
}

std::optional<FileStamp> stamp_of(const std::filesystem::path& file) {
  return stamp_at(AT_FDCWD, file.c_str());
}

std::optional<PackageStamps> stamps_of(const std::filesystem::path& root, const PackageTree& tree) {
  PackageStamps stamps;
  for (const auto* names : {&tree.folders, &tree.files}) {
    for (const std::string& name : *names) {
      const std::optional<FileStamp> stamp = stamp_of(root / entry_of(name));
      if (!stamp) return std::nullopt;
      stamps[name] = *stamp;
    }
  }
  return stamps;
}

// Compares files as seen from the package's folder: the way to it is walked once.
bool are_those(const PackageStamps& stamps, const std::filesystem::path& root) {
  const int folder = ::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return false;
  const bool same = std::all_of(stamps.begin(), stamps.end(), [folder](const auto& entry) {
    return stamp_at(folder, entry_of(entry.first)) == entry.second;
  });
  ::close(folder);
  return same;
}

bool changed_a_moment_before(const PackageStamps& stamps, int64_t now) {
  return std::any_of(stamps.begin(), stamps.end(), [now](const auto& entry) {
    return std::max(entry.second.modified, entry.second.changed) > now - kMoment;
  });
}

int64_t nanoseconds_now() {
  timespec now = {};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds(now);
}

}  // namespace opkit::registry
