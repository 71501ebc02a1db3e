// Whole files, read and written without half-written remains.
#ifndef OPKIT_BASE_FILE_H_
#define OPKIT_BASE_FILE_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "opkit/base/status.h"

namespace opkit {

// REQUIRES nothing of the path; an unreadable file or one over max_bytes is an error.
Result<std::string> read_file(const std::filesystem::path& path,
                              size_t max_bytes = size_t{1} << 30);

// Writes beside the target and renames, so that the target is either old or complete. A symbolic
// link stays, and its target is written; a device, FIFO or socket is written to, never replaced.
Status write_file(const std::filesystem::path& path, std::string_view bytes);

// Writes only where the file has other bytes, or none: builds take an unchanged file as up to date.
// Makes the folder.
Status write_if_new(const std::filesystem::path& path, std::string_view bytes);

// Returns a path as people read it: relative to the working directory when it is inside of that.
std::string shown(const std::filesystem::path& path);

// Checks whether write_file() may succeed: the folder is there, both allow writing, the path is no
// folder. Writes nothing.
Status check_writable(const std::filesystem::path& path);

}  // namespace opkit

#endif  // OPKIT_BASE_FILE_H_
