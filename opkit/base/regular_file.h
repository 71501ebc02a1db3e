// Files that opkit finds by itself, in an OPP, a package or a cache: somebody may have put there
// what is no file, and nobody waits for bytes that do not come. read_file() is for the paths that
// people name, who may mean a FIFO.
#ifndef OPKIT_BASE_REGULAR_FILE_H_
#define OPKIT_BASE_REGULAR_FILE_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "opkit/base/status.h"

namespace opkit {

// Returns a descriptor to read from, which the caller closes. Never waits; links are followed.
// Errors: OPK-FILE-001, -002 a folder, -005 a FIFO, a device or a socket.
Result<int> open_regular_file(const std::filesystem::path& path);

// OPK-FILE-005 for a device: some never end. FIFOs pass.
Status check_no_device(const std::filesystem::path& path);

// Errors: those of open_regular_file, and OPK-FILE-003 over max_bytes.
Result<std::string> read_regular_file(const std::filesystem::path& path, size_t max_bytes);
// As write_file(), but OPK-FILE-005 where that would write into what is no file.
Status write_regular_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace opkit

#endif  // OPKIT_BASE_REGULAR_FILE_H_
