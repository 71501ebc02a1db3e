#include "opkit/base/open_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace opkit {

Error cannot_read(const std::filesystem::path& path) {
  return Error("OPK-FILE-001", "cannot read " + path.string(),
               "check the path and its permissions");
}

Result<OpenFile> OpenFile::open(const std::filesystem::path& path) {
  OpenFile file(path, ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat facts = {};
  if (file.file_ < 0 || ::fstat(file.file_, &facts) != 0) return cannot_read(path);
  if (S_ISDIR(facts.st_mode))
    return Error("OPK-FILE-002", path.string() + " is a directory", "name a file");
  file.regular_ = S_ISREG(facts.st_mode);
  file.size_ = file.regular_ ? static_cast<uint64_t>(facts.st_size) : 0;
  return file;
}

OpenFile::~OpenFile() {
  if (file_ >= 0) ::close(file_);
}

Status OpenFile::read(uint64_t from, std::span<std::byte> to) const {
  while (!to.empty()) {
    const ssize_t got = ::pread(file_, to.data(), to.size(), static_cast<off_t>(from));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return cannot_read(path_);
    to = to.subspan(static_cast<size_t>(got));
    from += static_cast<uint64_t>(got);
  }
  return {};
}

}  // namespace opkit
