// How many bytes a dense tensor has, for dims that nobody has judged yet.
#ifndef OPKIT_BASE_BYTE_COUNT_H_
#define OPKIT_BASE_BYTE_COUNT_H_

#include <optional>
#include <string_view>

#include "opkit/base/dtype.h"
#include "opkit/base/shape.h"

namespace opkit {

// Returns nothing when a dim is unknown or negative, or when there are 2^63 bytes or more.
std::optional<uint64_t> byte_count(DType dtype, const Shape& shape);

// Says why there is no count: "has a negative dim", "has 2^63 bytes or more".
std::string_view why_uncounted(const Shape& shape);

}  // namespace opkit

#endif  // OPKIT_BASE_BYTE_COUNT_H_
