// SHA-256 of bytes and files.
#ifndef OPKIT_BASE_DIGEST_H_
#define OPKIT_BASE_DIGEST_H_

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "opkit/base/status.h"

namespace opkit {

// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);
// Digests the pieces, one behind the other.
std::string sha256_hex(std::span<const std::string_view> pieces);
Result<std::string> sha256_file(const std::filesystem::path& path);

}  // namespace opkit

#endif  // OPKIT_BASE_DIGEST_H_
