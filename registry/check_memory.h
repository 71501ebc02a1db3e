// CheckMemory: packages that were found intact, so that nobody hashes a library again that is the
// same file as before. A memory holds for the very files: device, inode, size, mtime and ctime of
// each. What depends on the host or on the place is judged anew each time. Plain files in a user's
// cache; whoever cannot be read, or is damaged, is forgotten.
#ifndef REGISTRY_CHECK_MEMORY_H_
#define REGISTRY_CHECK_MEMORY_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "registry/manifest.h"
#include "registry/package_files.h"

namespace opkit::registry {

struct FileStamp {
  uint64_t device = 0, inode = 0, size = 0;
  int64_t modified = 0, changed = 0;  // nanoseconds

  bool operator==(const FileStamp&) const = default;
};
// Nothing unless it is a regular file or a directory; links are not followed.
std::optional<FileStamp> stamp_of(const std::filesystem::path& file);

// Since 1970.
int64_t nanoseconds_now();

// Every file and directory of a package by its relative path, before any is read. Directories tell
// of files that were added.
using PackageStamps = std::map<std::string, FileStamp>;
std::optional<PackageStamps> stamps_of(const std::filesystem::path& root, const PackageTree& tree);

// What a whole check of an intact package found.
struct IntactPackage {
  Manifest manifest;
  std::string signer;                 // empty: not signed
  std::vector<std::string> run_path;  // of the library
  PackageStamps stamps;
};

class CheckMemory {
 public:
  // `cache_dir` empty: nothing is remembered.
  explicit CheckMemory(std::filesystem::path cache_dir) : cache_dir_(std::move(cache_dir)) {}

  std::filesystem::path file_of(const std::filesystem::path& root) const;
  // Nothing unless the files are those that were checked.
  std::optional<IntactPackage> recall(const std::filesystem::path& root) const;
  // Files that changed a moment before `now` are not kept: they could change again without a trace.
  void keep(const std::filesystem::path& root, const IntactPackage& intact,
            int64_t now = nanoseconds_now()) const;

 private:
  std::filesystem::path cache_dir_;
};

// For tests of the reader: nothing unless the bytes are a memory of `root`.
std::optional<IntactPackage> read_memory(std::string_view bytes, const std::filesystem::path& root);
std::string memory_bytes(const std::filesystem::path& root, const IntactPackage& intact);

}  // namespace opkit::registry

#endif  // REGISTRY_CHECK_MEMORY_H_
