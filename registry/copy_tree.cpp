#include "registry/copy_tree.h"

#include <fmt/format.h>

#include <cstdint>

#include "registry/lasting_files.h"
#include "registry/package_form.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

Status make_directories(const fs::path& path) {
  std::error_code code;
  fs::create_directories(path, code);
  if (code) return cannot_write(path, code.message());
  return {};
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

}  // namespace

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

}  // namespace opkit::registry
