#include "opkit/base/byte_count.h"

#include <algorithm>
#include <limits>

namespace opkit {

std::optional<uint64_t> byte_count(DType dtype, const Shape& shape) {
  const auto elements = shape.checked_elements();
  if (!elements.ok()) return std::nullopt;
  const auto count = static_cast<uint64_t>(*elements), bits = static_cast<uint64_t>(bits_of(dtype));
  // Elements of less than a byte share bytes: eight of them take as many bytes as one has bits.
  const uint64_t eights = count / 8, rest = (count % 8 * bits + 7) / 8;
  constexpr auto most = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  if (bits != 0 && eights > (most - rest) / bits) return std::nullopt;
  return eights * bits + rest;
}

std::string_view why_uncounted(const Shape& shape) {
  const bool negative =
      std::any_of(shape.dims().begin(), shape.dims().end(), [](int64_t dim) { return dim < 0; });
  return negative ? "has a negative dim" : "has 2^63 bytes or more";
}

}  // namespace opkit
