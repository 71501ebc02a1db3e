// Changes of an OPP's files and folders that are on the disk when a call returns.
#ifndef OPKIT_REGISTRY_LASTING_FILES_H_
#define OPKIT_REGISTRY_LASTING_FILES_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "opkit/base/status.h"

namespace opkit::registry {

// Ends the names of files that write_to_disk has not finished.
inline constexpr const char* kFresh = ".new";

// Makes a directory with its parents, on the disk each in its parent when it returns.
// OPK-INSTALL-004.
Status make_lasting_directories(const std::filesystem::path& path);
// Flushes every file and directory below and including `root` to the disk.
Status sync_tree(const std::filesystem::path& root);
Status sync_directory(const std::filesystem::path& directory);
// Writes a small file of an OPP, in one step, on the disk when it returns; on failure it is as it
// was. OPK-INSTALL-004.
Status write_to_disk(const std::filesystem::path& file, std::string_view text);
// Removes a file; on failure it is as it was. OPK-INSTALL-004.
Status remove_from_disk(const std::filesystem::path& file);

// Moves a directory to a name that must be free, on the disk when it returns; on failure it stays.
// Creates the parents. OPK-INSTALL-013 where a container's image holds the directory.
Status move_to_free_name(const std::filesystem::path& from, const std::filesystem::path& to);
// Swaps two directories in one step, likewise. OPK-INSTALL-008 when the file system cannot.
Status exchange(const std::filesystem::path& a, const std::filesystem::path& b);
// Removes empty directories from `leaf`, which need not be there, up to, but without, `top`. False:
// the disk failed.
bool prune_empty(std::filesystem::path leaf, const std::filesystem::path& top);

inline constexpr const char* kCannotWrite = "OPK-INSTALL-004";
// kCannotWrite with the system's reason.
Error cannot_write(const std::filesystem::path& path, const std::string& reason);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_LASTING_FILES_H_
