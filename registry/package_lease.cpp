#include "registry/package_lease.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

int open_directory(const fs::path& directory, int flags = 0) {
  return ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
}

bool has_name(int fd, const fs::path& name) {
  struct stat mine = {}, named = {};
  return ::fstat(fd, &mine) == 0 && ::stat(name.c_str(), &named) == 0 &&
         mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

fs::path path_of_open(int fd) {
  std::error_code code;
  return fs::read_symlink(fmt::format("/proc/self/fd/{}", fd), code);
}

// Sees to it that, while it lives, nobody gets a lease of the directory, unless somebody has one
// already.
class NoLease {
 public:
  explicit NoLease(const fs::path& directory) : fd_(open_directory(directory, O_NOFOLLOW)) {
    if (fd_ >= 0) taken_ = ::flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  }
  NoLease(const NoLease&) = delete;
  ~NoLease() {
    if (fd_ >= 0) ::close(fd_);
  }

  bool taken() const { return taken_; }

 private:
  int fd_;
  bool taken_ = false;
};

bool has_leased_inside(const fs::path& directory) {
  std::error_code code;
  for (fs::recursive_directory_iterator it(directory, code), end; !code && it != end;
       it.increment(code)) {
    std::error_code ignored;
    if (fs::is_directory(it->symlink_status(ignored)) && NoLease(it->path()).taken()) return true;
  }
  return false;
}

}  // namespace

// Whoever removes a directory has taken its name away before, and looks for leases then: the name
// counts once the lock is held. Where the name leads to is asked of the name: the directory may
// have been moved by the time that its own place is known.
PackageLease::PackageLease(const fs::path& directory) : name_(directory) {
  std::error_code code;
  canonical_ = fs::weakly_canonical(directory, code);
  while (true) {
    fd_ = open_directory(directory);
    if (fd_ < 0) return;
    const bool locked = ::flock(fd_, LOCK_SH | LOCK_NB) == 0;
    const bool unable = !locked && errno != EWOULDBLOCK && errno != EINTR;
    if (locked && has_name(fd_, directory)) break;
    ::close(fd_);
    fd_ = -1;
    if (unable) return;
  }
}

PackageLease::~PackageLease() {
  if (fd_ >= 0) ::close(fd_);
}

fs::path PackageLease::directory() const {
  if (!holds()) return name_;
  const fs::path now = path_of_open(fd_);
  if (now.empty()) return name_;  // no /proc tells
  return now == canonical_ ? name_ : now;
}

int64_t PackageLease::changed() const {
  struct stat status = {};
  if (!holds() || ::fstat(fd_, &status) != 0) return 0;
  return int64_t{status.st_ctim.tv_sec} * 1'000'000'000 + status.st_ctim.tv_nsec;
}

bool is_leased(const fs::path& directory) {
  return NoLease(directory).taken() || has_leased_inside(directory);
}

// Who makes a directory and takes a lease of it waits meanwhile, and finds it gone.
void remove_unless_leased(const fs::path& path) {
  const NoLease mine(path);
  if (mine.taken() || has_leased_inside(path)) return;
  std::error_code code;
  fs::remove_all(path, code);
}

}  // namespace opkit::registry
