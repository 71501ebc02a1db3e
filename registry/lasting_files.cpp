#include "registry/lasting_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "opkit/base/process/host_limits.h"
#include "opkit/base/regular_file.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMostOfASmallFile = 4u << 20;

std::string system_reason() { return std::strerror(errno); }

Status sync_path(const fs::path& path, int flags) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | flags);
  if (fd < 0) return cannot_write(path, system_reason());
  const int failed = fsync(fd);
  const int error = errno;
  close(fd);
  if (failed != 0 && error != EINVAL) return cannot_write(path, std::strerror(error));
  return {};
}

// Restores the file as well as it goes: the disk has just failed.
void restore(const fs::path& file, const Result<std::string>& old) {
  std::error_code code;
  if (!old) fs::remove(file, code);
  if (!old) return;
  const Status status = write_regular_file(file, *old);
  (void)status;  // the first error is the one to report
}

// Returns what the system says of a directory that it does not move. Both places lie in one OPP;
// they are on two file systems where an image of a container, or a mount inside the OPP, ends.
Error cannot_move(const fs::path& from, const fs::path& to) {
  if (errno != EXDEV) return cannot_write(to, system_reason());
  return Error("OPK-INSTALL-013",
               fmt::format("{} cannot be moved: it belongs to the image of this container, or a "
                           "file system is mounted inside the OPP",
                           from.string()),
               "copy the OPP once: cp -a opp opp.new && rm -r opp && mv opp.new opp");
}

}  // namespace

Error cannot_write(const fs::path& path, const std::string& reason) {
  // std::filesystem::copy says EIO where the kernel said EFBIG.
  const bool too_long = reason == std::strerror(EFBIG) || reason == std::strerror(EIO);
  std::string limit = too_long ? limits_of(Scarce::kFileSize) : std::string();
  if (!limit.empty()) limit = ": " + limit;
  return Error(kCannotWrite, fmt::format("cannot write {}: {}{}", path.string(), reason, limit),
               "check the folder, its permissions and free space");
}

Status make_lasting_directories(const fs::path& path) {
  std::error_code code;
  std::vector<fs::path> parents;
  for (fs::path at = fs::absolute(path, code); !code && !fs::exists(at, code);
       at = at.parent_path())
    parents.push_back(at.parent_path());
  fs::create_directories(path, code);
  if (code) return cannot_write(path, code.message());
  for (const fs::path& parent : parents) OPKIT_CHECK(sync_directory(parent));
  return {};
}

Status sync_directory(const fs::path& directory) { return sync_path(directory, O_DIRECTORY); }

Status sync_tree(const fs::path& root) {
  std::error_code code;
  for (fs::recursive_directory_iterator it(root, code), end; !code && it != end;
       it.increment(code)) {
    OPKIT_CHECK(sync_path(it->path(), 0));
  }
  if (code) return cannot_write(root, code.message());
  return sync_directory(root);
}

Status write_to_disk(const fs::path& file, std::string_view text) {
  const fs::path fresh = file.string() + kFresh;
  const Result<std::string> old = read_regular_file(file, kMostOfASmallFile);
  Status status = write_regular_file(fresh, text);
  if (status) status = sync_path(fresh, 0);
  std::error_code code, ignored;
  if (status) fs::rename(fresh, file, code);
  if (!status || code) {
    fs::remove(fresh, ignored);
    return cannot_write(file, status ? code.message() : status.error().message);
  }
  status = sync_directory(file.parent_path());
  if (!status) restore(file, old);
  return status;
}

Status remove_from_disk(const fs::path& file) {
  const Result<std::string> old = read_regular_file(file, kMostOfASmallFile);
  std::error_code code;
  fs::remove(file, code);
  if (code) return cannot_write(file, code.message());
  const Status status = sync_directory(file.parent_path());
  if (!status) restore(file, old);
  return status;
}

Status move_to_free_name(const fs::path& from, const fs::path& to) {
  OPKIT_CHECK(make_lasting_directories(to.parent_path()));
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) != 0) {
    return cannot_move(from, to);
  }
  Status status = sync_directory(to.parent_path());
  if (status) status = sync_directory(from.parent_path());
  std::error_code code;
  if (!status) fs::rename(to, from, code);
  return status;
}

Status exchange(const fs::path& a, const fs::path& b) {
  const auto swap = [&] {
    return renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
  };
  if (swap()) {
    Status status = sync_directory(b.parent_path());
    if (status) status = sync_directory(a.parent_path());
    if (!status) swap();
    return status;
  }
  if (errno != EINVAL && errno != ENOSYS) return cannot_move(b, a);
  return Error("OPK-INSTALL-008",
               fmt::format("the file system of {} cannot swap directories in one step", b.string()),
               "uninstall this version first, then install it");
}

bool prune_empty(fs::path leaf, const fs::path& top) {
  for (; !leaf.empty() && leaf != top; leaf = leaf.parent_path()) {
    if (rmdir(leaf.c_str()) == 0 || errno == ENOENT) continue;
    return errno != EIO && errno != EROFS && errno != ENOSPC;
  }
  return true;
}

}  // namespace opkit::registry
