#include "opkit/cli/tuning/tune_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "opkit/base/file.h"
#include "registry/probe.h"

namespace opkit::cli {
namespace {

namespace fs = std::filesystem;

// Keeps others from writing banks in the folder, for its life.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    while (fd_ >= 0 && ::flock(fd_, LOCK_EX) != 0) {
      if (errno == EINTR) continue;
      reason_ = std::strerror(errno);
      return;
    }
    if (fd_ < 0) reason_ = std::strerror(errno);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  const std::string& why_not() const { return reason_; }

 private:
  int fd_;
  std::string reason_;
};

}  // namespace

Status write_entry(const fs::path& file, const Bank& found) {
  std::error_code ignored;
  const fs::path folder = file.parent_path();
  fs::create_directories(folder, ignored);
  const FolderLock lock(folder);
  if (!lock.why_not().empty())
    return Error("OPK-FILE-004", fmt::format("cannot write {}: {}", file.string(), lock.why_not()),
                 "make the vendor's folder one that you may write, or tune with --out");
  Bank bank;
  if (fs::exists(file, ignored)) {
    OPKIT_TRY(bank, read_bank(file));
  }
  bank.op = found.op;
  bank.version = found.version;
  for (const BankEntry& entry : found.entries) tuning::add_entry(found.plugin, entry, bank);
  return write_file(file, tuning::bank_text(std::move(bank)));
}

fs::path store_file(const Arguments& arguments) {
  if (arguments.has("--store")) return arguments.get("--store");
  return registry::default_cache_dir() / "tunings.sqlite";
}

}  // namespace opkit::cli
