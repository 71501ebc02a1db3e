#include "registry/opp_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <thread>

#include "registry/lasting_files.h"
#include "registry/make_change.h"
#include "registry/opp_layout.h"
#include "registry/opp_watch.h"
#include "registry/package_lease.h"
#include "registry/pending_change.h"
#include "registry/reserve.h"
#include "registry/stage.h"
#include "registry/vendor_layout.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

constexpr auto kLockPoll = std::chrono::milliseconds(20);
constexpr size_t kLongestHolder = 31;

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

template <typename Match>
void take_matching(const fs::path& folder, const Match& match, std::vector<fs::path>& taken) {
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
    if (match(it->path().filename().string())) taken.push_back(*it);
  }
}

// Returns what killed installers had not finished to write, and packages that were leased.
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

}  // namespace

std::vector<fs::path> leftovers_of(const fs::path& opp) {
  std::vector<fs::path> left = unfinished(opp);
  std::erase_if(left, [](const fs::path& path) { return is_leased(path); });
  std::sort(left.begin(), left.end());
  return left;
}

Result<OppLock> OppLock::acquire(const fs::path& opp, std::chrono::seconds timeout) {
  OPKIT_CHECK(make_work_folder(opp));
  const fs::path file = opp / kWorkFolder / "lock";
  const int fd = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
  if (fd < 0) return cannot_write(file, std::strerror(errno));
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

}  // namespace opkit::registry
