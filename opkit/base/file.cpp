#include "opkit/base/file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace opkit {
namespace fs = std::filesystem;

Result<std::string> read_file(const fs::path& path, size_t max_bytes) {
  std::error_code code;
  if (fs::is_directory(path, code)) {
    return Error("OPK-FILE-002", path.string() + " is a directory", "name a file");
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return Error("OPK-FILE-001", "cannot read " + path.string(),
                 "check the path and its permissions");
  }
  const auto size = fs::file_size(path, code);
  if (!code && size > max_bytes) {
    return Error("OPK-FILE-003",
                 fmt::format("{} has {} bytes; the limit is {}", path.string(), size, max_bytes),
                 "use a smaller file");
  }
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

Status write_file(const fs::path& path, std::string_view bytes) {
  const fs::path temporary = path.string() + fmt::format(".{}.tmp", ::getpid());
  std::error_code code;
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.flush();
    if (!out) {
      fs::remove(temporary, code);
      return Error("OPK-FILE-004", "cannot write " + path.string(),
                   "check the folder, its permissions and free space");
    }
  }
  fs::rename(temporary, path, code);
  if (code) {
    const std::string reason = code.message();
    fs::remove(temporary, code);
    return Error("OPK-FILE-004", fmt::format("cannot write {}: {}", path.string(), reason),
                 "check the folder, its permissions and free space");
  }
  return {};
}

std::string shown(const std::filesystem::path& path) {
  std::error_code failure;
  const std::filesystem::path relative = std::filesystem::proximate(path, failure);
  if (failure || relative.empty() || *relative.begin() == "..") return path.string();
  return relative.string();
}

}  // namespace opkit
