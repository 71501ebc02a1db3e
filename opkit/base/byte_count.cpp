#include "opkit/base/byte_count.h"

#include <algorithm>
#include <limits>

namespace opkit {

std::optional<uint64_t> byte_count(DType dtype, const Shape& shape) {
  const auto elements = shape.checked_elements();
  if (!elements.ok()) return std::nullopt;
  const auto bits =
      static_cast<unsigned __int128>(*elements) * static_cast<unsigned>(bits_of(dtype));
  const unsigned __int128 bytes = (bits + 7) / 8;
  if (bytes > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
  return static_cast<uint64_t>(bytes);
}

std::string_view why_uncounted(const Shape& shape) {
  const bool negative =
      std::any_of(shape.dims().begin(), shape.dims().end(), [](int64_t dim) { return dim < 0; });
  return negative ? "has a negative dim" : "has 2^63 bytes or more";
}

}  // namespace opkit
