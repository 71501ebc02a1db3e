// What an installer holds while it works: the lock of an OPP and a staging directory inside it, on
// the same file system as the targets, so that publishing is one rename.
#ifndef REGISTRY_STAGING_H_
#define REGISTRY_STAGING_H_

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

#include "opkit/base/status.h"

namespace opkit::registry {

// <opp>/.opkit: the lock file and the staging directories. Searches skip it.
inline constexpr const char* kWorkFolder = ".opkit";

// One installer per OPP, in this process or another one. Freed at the end of its life.
class OppLock {
 public:
  // Creates the OPP when it is absent, and settles what a killed installer left (pending_change.h).
  // OPK-INSTALL-003 when another one keeps it too long, -004 when the OPP cannot be written; those
  // of settle_change.
  static Result<OppLock> acquire(const std::filesystem::path& opp, std::chrono::seconds timeout);

  OppLock(OppLock&& other) noexcept : fd_(other.fd_), held_(other.held_) { other.fd_ = -1; }
  OppLock(const OppLock&) = delete;
  ~OppLock();

 private:
  explicit OppLock(int fd) : fd_(fd) {}
  int fd_ = -1;
  bool held_ = false;
};

// An empty directory that is removed with all it holds at the end of its life. REQUIRES: the lock
// is held.
class Stage {
 public:
  static Result<Stage> make(const std::filesystem::path& opp);

  Stage(Stage&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  Stage(const Stage&) = delete;
  ~Stage();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit Stage(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

// Copies regular files and directories. OPK-INSTALL-005 for links, devices and more than a package
// may hold.
Status copy_tree(const std::filesystem::path& from, const std::filesystem::path& to);
// Flushes every file and directory below and including `root` to the disk.
Status sync_tree(const std::filesystem::path& root);
Status sync_directory(const std::filesystem::path& directory);
// A small file of an OPP, in one step, on the disk when it returns; on failure it is as it was.
// OPK-INSTALL-004.
Status write_to_disk(const std::filesystem::path& file, std::string_view text);
Status remove_from_disk(const std::filesystem::path& file);

// Moves a directory to a name that must be free, on the disk when it returns; on failure it stays.
// Creates the parents.
Status move_to_free_name(const std::filesystem::path& from, const std::filesystem::path& to);
// Swaps two directories in one step, likewise. OPK-INSTALL-008 when the file system cannot.
Status exchange(const std::filesystem::path& a, const std::filesystem::path& b);
// Removes empty directories from `leaf`, which need not be there, up to, but without, `top`. False:
// the disk failed.
bool prune_empty(std::filesystem::path leaf, const std::filesystem::path& top);

// OPK-INSTALL-004 with the system's reason.
Error cannot_write(const std::filesystem::path& path, const std::string& reason);

}  // namespace opkit::registry

#endif  // REGISTRY_STAGING_H_
