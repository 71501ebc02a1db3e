#include "opkit/cli/options/package_folder.h"

#include "opkit/cli/options/package_path.h"
#include "registry/archive.h"

namespace opkit::cli {
namespace fs = std::filesystem;

bool is_path(const std::string& word) {
  std::error_code ignored;
  return word.find('/') != std::string::npos || word.ends_with(".yaml") || word.ends_with(".yml") ||
         word.ends_with(".opkg") || fs::exists(word, ignored);
}

Result<PackageFolder> open_package(const fs::path& path, Console& console) {
  OPKIT_TRY(const fs::path source, package_at_path(path, console));
  std::error_code ignored;
  if (!fs::is_regular_file(source, ignored)) return PackageFolder{source, nullptr};
  auto scratch = std::make_shared<project::Scratch>();
  OPKIT_CHECK(scratch->check());
  OPKIT_CHECK(registry::unpack(source, scratch->path()));
  return PackageFolder{scratch->path(), std::move(scratch)};
}

}  // namespace opkit::cli
