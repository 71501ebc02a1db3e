#include "registry/reserve.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "opkit/base/process/host_limits.h"
#include "registry/opp_layout.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

// As many names as a change of an OPP makes, and a block or two for each.
constexpr int kReserved = 6;
constexpr off_t kReservedBytes = 16 << 10;

fs::path reserve_folder(const fs::path& opp) { return opp / kWorkFolder / "reserve"; }

bool is_real_folder(const fs::path& path) {
  struct stat facts = {};
  return ::lstat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
}

bool is_whole(const fs::path& file) {
  struct stat facts = {};
  return ::lstat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
         facts.st_size == kReservedBytes;
}

bool fill(const fs::path& file) {
  if (is_whole(file)) return true;
  const int fd =
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
  if (fd < 0) return false;
  const bool filled = ::posix_fallocate(fd, 0, kReservedBytes) == 0;
  ::close(fd);
  return filled;
}

}  // namespace

void keep_reserve(const fs::path& opp) {
  const auto most = file_size_allowed();
  if (most && *most < static_cast<uint64_t>(kReservedBytes)) return;
  const fs::path folder = reserve_folder(opp);
  if (::mkdir(folder.c_str(), 0755) != 0 && (errno != EEXIST || !is_real_folder(folder))) return;
  for (int i = 0; i < kReserved; ++i)
    if (!fill(folder / std::to_string(i))) return;
}

bool spend_reserve(const fs::path& opp) {
  std::error_code code;
  return fs::remove_all(reserve_folder(opp), code) > 1 && !code;
}

}  // namespace opkit::registry
