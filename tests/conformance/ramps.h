// GM of whole numbers that count up, and what becomes of it.
#ifndef TESTS_CONFORMANCE_RAMPS_H_
#define TESTS_CONFORMANCE_RAMPS_H_

#include <cstdint>
#include <numeric>
#include <vector>

#include "opkit/include/kernel_operator.h"

namespace conformance {

inline std::vector<int32_t> ramp(size_t n) {
  std::vector<int32_t> v(n);
  std::iota(v.begin(), v.end(), 1);
  return v;
}

inline AscendC::GlobalTensor<int32_t> global(int32_t* data, uint64_t n = 0) {
  AscendC::GlobalTensor<int32_t> t;
  t.SetGlobalBuffer(data, n);
  return t;
}

// The second half of GM becomes f of the first half, tile by tile.
inline std::vector<int32_t> expected_halves(size_t n, int32_t (*f)(int32_t)) {
  std::vector<int32_t> v = ramp(n);
  for (size_t i = 0; i < n / 2; ++i) v[n / 2 + i] = f(v[i]);
  return v;
}

}  // namespace conformance

#endif  // TESTS_CONFORMANCE_RAMPS_H_
