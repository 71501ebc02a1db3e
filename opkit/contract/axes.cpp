#include "opkit/contract/axes.h"

#include <algorithm>

namespace opkit {

std::vector<int64_t> whole_permutation(const std::vector<int64_t>& perm, size_t rank) {
  const bool from_the_end = !perm.empty() && perm.size() <= rank &&
                            std::all_of(perm.begin(), perm.end(), [](int64_t a) { return a < 0; });
  if (!from_the_end) return perm;
  std::vector<int64_t> whole;
  for (size_t axis = 0; axis < rank - perm.size(); ++axis)
    whole.push_back(static_cast<int64_t>(axis));
  for (const int64_t axis : perm) whole.push_back(static_cast<int64_t>(rank) + axis);
  return whole;
}

}  // namespace opkit
