// A package as one file: tar, compressed with zstd (*.opkg). Reads any tar, also plain or
// compressed with gzip, bzip2 or xz.
#ifndef OPKIT_REGISTRY_ARCHIVE_H_
#define OPKIT_REGISTRY_ARCHIVE_H_

#include <filesystem>
#include <optional>
#include <string>

#include "opkit/base/status.h"

namespace opkit::registry {

// Writes the regular files under `directory`, in sorted order and without owners or dates, so that
// equal packages give equal archives.
// A signature takes the place of the one in the directory (signature.h).
Status pack(const std::filesystem::path& directory, const std::filesystem::path& archive,
            const std::optional<std::string>& signature = std::nullopt);

// Unpacks regular files and directories into `directory`. Archives that are no regular files,
// links, devices, absolute paths, ".." and more than the limits are refused with OPK-INSTALL-005;
// an unreadable archive with OPK-INSTALL-009. On failure the directory may hold a part: the caller
// removes it.
Status unpack(const std::filesystem::path& archive, const std::filesystem::path& directory);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_ARCHIVE_H_
