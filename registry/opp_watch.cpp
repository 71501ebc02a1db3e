#include "registry/opp_watch.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "registry/opp_layout.h"

namespace opkit::registry {
namespace {

constexpr off_t kPlace = 64;  // behind the holder's name
constexpr auto kPoll = std::chrono::milliseconds(5);

// Opens the lock without following links or waiting for the other end of a FIFO. Negative: there is
// none.
int open_lock(const std::filesystem::path& opp) {
  std::error_code code;
  if (std::filesystem::is_symlink(opp / kWorkFolder, code)) return -1;
  const auto file = opp / kWorkFolder / "lock";
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat facts = {};
  if (fd < 0 || (::fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode))) return fd;
  ::close(fd);
  return -1;
}

bool share_within(int fd, std::chrono::milliseconds timeout) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (::flock(fd, LOCK_SH | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(kPoll);
  }
  return true;
}

}  // namespace

std::optional<uint64_t> generation_in(int lock_file) {
  uint64_t count = 0;
  if (::pread(lock_file, &count, sizeof count, kPlace) < 0) return std::nullopt;
  return count;
}

void raise_generation(int lock_file) {
  const uint64_t count = generation_in(lock_file).value_or(0) + 1;
  // Readers look again after a while all the same.
  const ssize_t written = ::pwrite(lock_file, &count, sizeof count, kPlace);
  static_cast<void>(written);
}

OppWatch::~OppWatch() {
  if (file_ >= 0) ::close(file_);
}

std::optional<uint64_t> OppWatch::generation() {
  if (file_ < 0) file_ = open_lock(opp_);
  return file_ < 0 ? std::nullopt : generation_in(file_);
}

// Locks by a descriptor of its own: locks of one are shared by all its users.
bool OppWatch::in_quiet(const std::function<void()>& read,
                        std::chrono::milliseconds timeout) const {
  const int fd = open_lock(opp_);
  if (fd < 0) return false;
  const bool quiet = share_within(fd, timeout);
  if (quiet) read();
  ::close(fd);
  return quiet;
}

}  // namespace opkit::registry
