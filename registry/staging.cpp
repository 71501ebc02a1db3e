#include "registry/staging.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>
#include <vector>

#include "opkit/base/process/host_limits.h"
#include "opkit/base/regular_file.h"
#include "registry/opp_layout.h"
#include "registry/opp_watch.h"
#include "registry/package_form.h"
#include "registry/pending_change.h"
#include "registry/reserve.h"
#include "registry/vendor_layout.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

constexpr auto kLockPoll = std::chrono::milliseconds(20);
constexpr size_t kLongestHolder = 31;
constexpr size_t kMostOfASmallFile = 4u << 20;
constexpr const char* kFresh = ".new";  // what write_to_disk has not finished

std::string system_reason() { return std::strerror(errno); }

Status make_directories(const fs::path& path) {
  std::error_code code;
  fs::create_directories(path, code);
  if (code) return cannot_write(path, code.message());
  return {};
}

Status sync_path(const fs::path& path, int flags) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | flags);
  if (fd < 0) return cannot_write(path, system_reason());
  const int failed = fsync(fd);
  const int error = errno;
  close(fd);
  if (failed != 0 && error != EINVAL) return cannot_write(path, std::strerror(error));
  return {};
}

Status make_work_folder(const fs::path& opp) {
  OPKIT_CHECK(check_way(opp, opp / kWorkFolder));
  return make_lasting_directories(opp / kWorkFolder);
}

std::string holder(int fd) {
  char text[kLongestHolder + 1] = {};
  const ssize_t bytes = pread(fd, text, kLongestHolder, 0);
  return bytes > 0 ? fmt::format(" (process {})", text) : std::string();
}

// What lies behind the name stays: the generation (opp_watch.h).
void sign(int fd) {
  std::string text = std::to_string(getpid());
  text.resize(kLongestHolder, '\0');
  if (pwrite(fd, text.data(), text.size(), 0) < 0) return;
}

// Tries until the time is over; flock has no time limit of its own.
bool lock_within(int fd, std::chrono::seconds timeout) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(kLockPoll);
  }
  return true;
}

Error unsafe_copy(const fs::path& path, const char* what) {
  return Error("OPK-INSTALL-005", fmt::format("{} is {}", path.string(), what),
               "a package holds plain files and directories only");
}

Status copy_entry(const fs::directory_entry& entry, const fs::path& to, uint64_t& bytes) {
  std::error_code code;
  const fs::file_status status = entry.symlink_status(code);
  if (fs::is_symlink(status)) return unsafe_copy(entry.path(), "a link");
  if (fs::is_directory(status)) return make_directories(to);
  if (!fs::is_regular_file(status))
    return unsafe_copy(entry.path(), "neither a file nor a directory");
  bytes += entry.file_size(code);
  if (bytes > kMaxPackageBytes)
    return unsafe_copy(entry.path(), "past the size limit of a package");
  fs::copy_file(entry.path(), to, code);
  if (code) return cannot_write(to, code.message());
  return {};
}

template <typename Match>
void take_matching(const fs::path& folder, const Match& match, std::vector<fs::path>& taken) {
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
    if (match(it->path().filename().string())) taken.push_back(*it);
  }
}

// What killed installers had not finished to write, and packages that were leased.
std::vector<fs::path> unfinished(const fs::path& opp) {
  std::vector<fs::path> paths;
  std::error_code code;
  const bool pending = fs::exists(fs::symlink_status(pending_file(opp), code));
  const auto at_work = [pending](const std::string& name) {
    return name.starts_with("stage-") || name.find(kFresh) != std::string::npos ||
           name == earlier_copy({}).filename() ||
           (!pending && name == layout_stage({}).filename());  // a change is not at its end
  };
  take_matching(opp / kWorkFolder, at_work, paths);
  const auto of_order = [](const std::string& name) {
    return name.starts_with("config.ini.") && (name.ends_with(".tmp") || name.ends_with(kFresh));
  };
  take_matching(opp / "vendors", of_order, paths);
  return paths;
}

// As well as it goes: the disk has just failed.
void restore(const fs::path& file, const Result<std::string>& old) {
  std::error_code code;
  if (!old) fs::remove(file, code);
  if (!old) return;
  const Status status = write_regular_file(file, *old);
  (void)status;  // the first error is the one to report
}

}  // namespace

std::vector<fs::path> leftovers_of(const fs::path& opp) {
  std::vector<fs::path> left = unfinished(opp);
  std::erase_if(left, [](const fs::path& path) { return is_leased(path); });
  std::sort(left.begin(), left.end());
  return left;
}

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
  OPKIT_CHECK(make_directories(path));
  for (const fs::path& parent : parents) OPKIT_CHECK(sync_directory(parent));
  return {};
}

Result<OppLock> OppLock::acquire(const fs::path& opp, std::chrono::seconds timeout) {
  OPKIT_CHECK(make_work_folder(opp));
  const fs::path file = opp / kWorkFolder / "lock";
  const int fd = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
  if (fd < 0) return cannot_write(file, system_reason());
  OppLock lock(fd);
  struct stat facts = {};
  if (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode))
    return cannot_write(file, "something else than a file has this name");
  if (!lock_within(fd, timeout)) {
    return Error("OPK-INSTALL-003",
                 fmt::format("another installer{} has kept the OPP {} for {} s", holder(fd),
                             opp.string(), timeout.count()),
                 "wait for it to end, then try again");
  }
  sign(fd);
  lock.held_ = true;
  lock.opp_ = opp;
  Status settled = settle_change(opp);
  if (!settled && settled.error().code == kCannotWrite && spend_reserve(opp))
    settled = settle_change(opp);
  OPKIT_CHECK(settled);
  for (const fs::path& path : unfinished(opp)) remove_unless_leased(path);
  keep_reserve(opp);
  return lock;
}

OppLock::~OppLock() {
  if (fd_ < 0) return;
  if (held_) keep_reserve(opp_);
  if (held_) raise_generation(fd_);
  close(fd_);
}

// Until there is a lease, another installer takes the directory for a leftover.
Result<Stage> Stage::make(const fs::path& opp) {
  OPKIT_CHECK(make_work_folder(opp));
  std::error_code code;
  while (true) {
    std::string name = (opp / kWorkFolder / "stage-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) return cannot_write(name, system_reason());
    auto lease = std::make_unique<PackageLease>(name);
    if (lease->holds() || fs::exists(name, code)) return Stage(std::move(lease));
  }
}

Stage::~Stage() {
  if (!lease_) return;
  const fs::path path = this->path();
  lease_.reset();
  remove_unless_leased(path);
}

void discard(const fs::path& opp, const fs::path& directory) {
  remove_unless_leased(directory);
  std::error_code code;
  if (!fs::exists(fs::symlink_status(directory, code))) return;
  const Result<Stage> stage = Stage::make(opp);
  if (stage) fs::rename(directory, stage->path() / directory.filename(), code);
}

Status copy_tree(const fs::path& from, const fs::path& to) {
  OPKIT_CHECK(make_directories(to));
  uint64_t bytes = 0, files = 0;
  std::error_code code;
  for (fs::recursive_directory_iterator it(from, code), end; !code && it != end;
       it.increment(code)) {
    if (++files > kMaxPackageFiles)
      return unsafe_copy(it->path(), "past the file limit of a package");
    OPKIT_CHECK(copy_entry(*it, to / it->path().lexically_relative(from), bytes));
  }
  if (code) return cannot_write(to, code.message());
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
    return cannot_write(to, system_reason());
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
  if (errno != EINVAL && errno != ENOSYS) return cannot_write(b, system_reason());
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
