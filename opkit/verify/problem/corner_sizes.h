// Sizes of one symbol at which ops tend to change their ways.
#ifndef OPKIT_VERIFY_PROBLEM_CORNER_SIZES_H_
#define OPKIT_VERIFY_PROBLEM_CORNER_SIZES_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "opkit/verify/problem/domain.h"

namespace opkit::verify {

struct CornerSizes {
  std::vector<int64_t> sizes;  // ascending, within the symbol's bounds
  std::set<int64_t> wide;      // holds the sizes that are worth a larger problem
};

// Blocks and repeats of the column's narrowest input, cores of the chip, both ends of the symbol's
// range, and about the first landmarks that the budget has room for. Where constraints leave a dim
// in steps, the next legal sizes, the first steps and the last one.
CornerSizes corner_sizes(const Domain& domain, size_t symbol, size_t column, const std::string& soc,
                         const std::vector<int64_t>& landmarks);

// Returns the largest size that the constraints leave a dim, half of it, and so on down to 2.
std::vector<int64_t> halved_ends(const Domain& domain, size_t symbol);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_CORNER_SIZES_H_
