// FileStamp: how a file is known again without being read. Device, inode, size, mtime and ctime;
// whoever changes bytes changes one of them.
#ifndef OPKIT_REGISTRY_FILE_STAMPS_H_
#define OPKIT_REGISTRY_FILE_STAMPS_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "registry/package_files.h"

namespace opkit::registry {

struct FileStamp {
  uint64_t device = 0, inode = 0, size = 0;
  int64_t modified = 0, changed = 0;  // nanoseconds

  bool operator==(const FileStamp&) const = default;
};
// Returns nothing unless it is a regular file or a directory; links are not followed.
std::optional<FileStamp> stamp_of(const std::filesystem::path& file);
// Returns the stamp of a name in an open folder.
std::optional<FileStamp> stamp_at(int folder, const char* name);

// Returns the time since 1970.
int64_t nanoseconds_now();

// Every file and directory of a package by its relative path, before any is read. Directories tell
// of files that were added.
using PackageStamps = std::map<std::string, FileStamp>;
std::optional<PackageStamps> stamps_of(const std::filesystem::path& root, const PackageTree& tree);
// Tells whether the package in `root` still has them all.
bool are_those(const PackageStamps& stamps, const std::filesystem::path& root);
// Tells whether a file could change again without a trace: time stamps of file systems are coarse.
bool changed_a_moment_before(const PackageStamps& stamps, int64_t now);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_FILE_STAMPS_H_
