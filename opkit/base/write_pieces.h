// Writing a file whose bytes lie in several places.
#ifndef OPKIT_BASE_WRITE_PIECES_H_
#define OPKIT_BASE_WRITE_PIECES_H_

#include <filesystem>
#include <span>
#include <string_view>

#include "opkit/base/status.h"

namespace opkit {

// As write_file(), the pieces one behind the other.
Status write_pieces(const std::filesystem::path& path, std::span<const std::string_view> pieces);

}  // namespace opkit

#endif  // OPKIT_BASE_WRITE_PIECES_H_
