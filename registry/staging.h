// What an installer holds while it works: the lock of an OPP and a staging directory inside it, on
// the same file system as the targets, so that publishing is one rename.
#ifndef REGISTRY_STAGING_H_
#define REGISTRY_STAGING_H_

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opkit/base/status.h"
#include "registry/package_lease.h"

namespace opkit::registry {

// <opp>/.opkit: the lock file and the staging directories. Searches skip it.
inline constexpr const char* kWorkFolder = ".opkit";

// One installer per OPP, in this process or another one. Freed at the end of its life.
class OppLock {
 public:
  // Creates the OPP when it is absent, and settles what a killed installer left (pending_change.h).
  // Keeps the OPP's reserve (reserve.h). OPK-INSTALL-003 when another one keeps the lock too long,
  // -004 when the OPP cannot be written, OPK-PKG-013; those of settle_change.
  static Result<OppLock> acquire(const std::filesystem::path& opp, std::chrono::seconds timeout);

  OppLock(OppLock&& other) noexcept
      : fd_(other.fd_), held_(other.held_), opp_(std::move(other.opp_)) {
    other.fd_ = -1;
  }
  OppLock(const OppLock&) = delete;
  ~OppLock();

 private:
  explicit OppLock(int fd) : fd_(fd) {}
  int fd_ = -1;
  bool held_ = false;
  std::filesystem::path opp_;
};

// What installers that were killed left in the OPP and nobody uses, sorted: who takes the lock next
// removes it. While an installer is at work some of it is its own.
std::vector<std::filesystem::path> leftovers_of(const std::filesystem::path& opp);

// An empty directory that is removed with all it holds at the end of its life; a package in it that
// somebody has a lease of stays, for a later installer. Its own lease keeps others from removing
// it, so that it needs no lock.
class Stage {
 public:
  // Creates the OPP when it is absent. OPK-INSTALL-004, OPK-PKG-013.
  static Result<Stage> make(const std::filesystem::path& opp);

  Stage(Stage&&) noexcept = default;
  Stage(const Stage&) = delete;
  ~Stage();

  const std::filesystem::path& path() const { return lease_->name(); }

 private:
  explicit Stage(std::unique_ptr<PackageLease> lease) : lease_(std::move(lease)) {}
  std::unique_ptr<PackageLease> lease_;
};

// Removes a directory, or moves it aside while somebody has a lease of it.
void discard(const std::filesystem::path& opp, const std::filesystem::path& directory);

// Copies regular files and directories. OPK-INSTALL-005 for links, devices and more than a package
// may hold.
Status copy_tree(const std::filesystem::path& from, const std::filesystem::path& to);
// With its parents, on the disk each in its parent when it returns. OPK-INSTALL-004.
Status make_lasting_directories(const std::filesystem::path& path);
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

inline constexpr const char* kCannotWrite = "OPK-INSTALL-004";
// kCannotWrite with the system's reason.
Error cannot_write(const std::filesystem::path& path, const std::string& reason);

}  // namespace opkit::registry

#endif  // REGISTRY_STAGING_H_
