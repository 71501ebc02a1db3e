#include "opkit/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "opkit/base/open_file.h"
#include "opkit/base/regular_file.h"
#include "opkit/base/write_pieces.h"

namespace opkit {
namespace fs = std::filesystem;

namespace {

Error too_large(const fs::path& path, uint64_t size, size_t limit) {
  return Error("OPK-FILE-003",
               fmt::format("{} has {} bytes; the limit is {}", path.string(), size, limit),
               "use a smaller file");
}

constexpr size_t kFirstRead = 4096;  // is read at first from what does not say its size

// Reads up to `most` bytes. False: the file cannot be read.
bool read_up_to(int file, size_t expected, size_t most, std::string& text) {
  size_t filled = 0;
  text.resize(std::min(std::max(expected + 1, kFirstRead), most));
  while (filled < most) {
    if (filled == text.size()) text.resize(std::min(2 * filled, most));
    const ssize_t got = ::read(file, text.data() + filled, text.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text.resize(filled), got == 0;
    filled += static_cast<size_t>(got);
  }
  return true;
}

Error a_folder(const fs::path& path) {
  return Error("OPK-FILE-002", path.string() + " is a directory", "name a file");
}

Error no_file(const fs::path& path, mode_t mode) {
  const char* what = S_ISFIFO(mode) ? "a FIFO" : S_ISSOCK(mode) ? "a socket" : "a device";
  return Error("OPK-FILE-005", fmt::format("{} is {}, not a file", path.string(), what),
               "put a file in its place, or remove it");
}

constexpr size_t kMostOfDevice = size_t{1} << 28;  // and of a pipe: some never end

// Closes the file.
Result<std::string> read_opened(int file, const fs::path& path, size_t max_bytes) {
  struct stat facts = {};
  if (::fstat(file, &facts) == 0 && S_ISDIR(facts.st_mode)) {
    ::close(file);
    return a_folder(path);
  }
  const bool regular = S_ISREG(facts.st_mode);
  const auto size = regular ? static_cast<uint64_t>(facts.st_size) : 0;
  if (!regular) max_bytes = std::min(max_bytes, kMostOfDevice);
  std::string text;
  const bool fits = size <= max_bytes;
  // A byte more than is allowed tells that there is more.
  const size_t most = std::max(max_bytes, max_bytes + 1);
  const bool read = fits && read_up_to(file, size, most, text);
  ::close(file);
  if (!fits) return too_large(path, size, max_bytes);
  if (!read) return cannot_read(path);
  if (text.size() > max_bytes) return too_large(path, text.size(), max_bytes);
  return text;
}

}  // namespace

Result<std::string> read_file(const fs::path& path, size_t max_bytes) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return cannot_read(path);
  return read_opened(file, path, max_bytes);
}

// Opens a file; what something is, is asked of its name first: opening a device may already do
// something.
Result<int> open_regular_file(const fs::path& path) {
  struct stat facts = {};
  int file = -1;
  if (::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode)) {
    file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file >= 0 && ::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode)) return file;
  }
  if (file >= 0) ::close(file);
  if (facts.st_mode == 0 || S_ISREG(facts.st_mode)) return cannot_read(path);
  return S_ISDIR(facts.st_mode) ? a_folder(path) : no_file(path, facts.st_mode);
}

Status check_no_device(const fs::path& path) {
  struct stat facts = {};
  if (::stat(path.c_str(), &facts) != 0) return {};  // whoever opens it says why
  if (!S_ISCHR(facts.st_mode) && !S_ISBLK(facts.st_mode)) return {};
  Error error = no_file(path, facts.st_mode);
  error.action = "name a file";
  return error;
}

Result<std::string> read_regular_file(const fs::path& path, size_t max_bytes) {
  OPKIT_TRY(const int file, open_regular_file(path));
  return read_opened(file, path, max_bytes);
}

namespace {

Error cannot_write(const fs::path& path, const std::string& reason) {
  return Error("OPK-FILE-004", fmt::format("cannot write {}: {}", path.string(), reason),
               "check the folder, its permissions and free space");
}

std::string last_error() { return std::generic_category().message(errno); }

using Pieces = std::span<const std::string_view>;

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Writes into what is there: a device, a FIFO, the reader behind /dev/stdout.
Status write_into(const fs::path& path, Pieces pieces) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return cannot_write(path, last_error());
  for (const std::string_view piece : pieces) {
    if (write_all(file, piece)) continue;
    const std::string reason = last_error();
    ::close(file);
    return cannot_write(path, reason);
  }
  if (::close(file) != 0) return cannot_write(path, last_error());
  return {};
}

Status replace(const fs::path& path, Pieces pieces) {
  const fs::path temporary = path.string() + fmt::format(".{}.tmp", ::getpid());
  std::error_code code;
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    for (const std::string_view piece : pieces)
      out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    out.flush();
    if (!out) {
      const std::string reason = last_error();
      fs::remove(temporary, code);
      return cannot_write(path, reason);
    }
  }
  fs::rename(temporary, path, code);
  if (!code) return {};
  const std::string reason = code.message();
  fs::remove(temporary, code);
  return cannot_write(path, reason);
}

}  // namespace

Status write_file(const fs::path& path, std::string_view bytes) {
  return write_pieces(path, {&bytes, 1});
}

Status write_if_new(const fs::path& path, std::string_view bytes) {
  if (const auto old = read_file(path); old.ok() && *old == bytes) return {};
  std::error_code failure;
  fs::create_directories(path.parent_path(), failure);
  return write_file(path, bytes);
}

Status write_pieces(const fs::path& path, Pieces pieces) {
  std::error_code code;
  const fs::file_status found = fs::status(path, code);  // describes what links lead to
  if (fs::is_directory(found)) return cannot_write(path, "it is a folder");
  if (fs::exists(found) && !fs::is_regular_file(found)) return write_into(path, pieces);
  if (!fs::is_symlink(fs::symlink_status(path, code))) return replace(path, pieces);
  const fs::path target = fs::canonical(path, code);
  return code ? write_into(path, pieces) : replace(target, pieces);
}

Status write_regular_file(const fs::path& path, std::string_view bytes) {
  struct stat facts = {};
  const bool odd = ::stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode);
  if (odd && !S_ISDIR(facts.st_mode)) return no_file(path, facts.st_mode);
  return write_file(path, bytes);
}

Status check_writable(const fs::path& path) {
  std::error_code code;
  const fs::file_status found = fs::status(path, code);
  if (fs::is_directory(found)) return cannot_write(path, "it is a folder");
  if (fs::exists(found) && ::access(path.c_str(), W_OK) != 0)
    return cannot_write(path, last_error());
  if (fs::exists(found) && !fs::is_regular_file(found)) return {};
  const fs::path whole =
      fs::is_symlink(fs::symlink_status(path, code)) ? fs::weakly_canonical(path, code) : path;
  const fs::path folder = whole.has_parent_path() ? whole.parent_path() : fs::path(".");
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return cannot_write(path, last_error());
  return {};
}

std::string shown(const std::filesystem::path& path) {
  std::error_code failure;
  const std::filesystem::path relative = std::filesystem::proximate(path, failure);
  if (failure || relative.empty() || *relative.begin() == "..") return path.string();
  return relative.string();
}

}  // namespace opkit
