// Axes that a contract counts from the end.
#ifndef OPKIT_CONTRACT_AXES_H_
#define OPKIT_CONTRACT_AXES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace opkit {

// Returns the `perm` of a Transpose for a tensor of this rank: where every number is negative, they
// order the last axes, counted from the end, and those before stay: [-1, -2] exchanges the last
// two. Another one is returned as it is.
std::vector<int64_t> whole_permutation(const std::vector<int64_t>& perm, size_t rank);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_AXES_H_
