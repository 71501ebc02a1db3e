// Sizes at which shares that are rounded down leave elements to nobody.
#ifndef OPKIT_VERIFY_PROBLEM_CORE_CORNERS_H_
#define OPKIT_VERIFY_PROBLEM_CORE_CORNERS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace opkit::verify {

// Just above multiples of cores × share: the remainder of a division by the cores is lost there
// when a share that needs no rounding up is not counted up. Shares are a few rows, and lines of
// `line` elements: odd numbers of them and powers of two. `soc`: a full name.
std::vector<int64_t> core_corners(const std::string& soc, int64_t line);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_CORE_CORNERS_H_
