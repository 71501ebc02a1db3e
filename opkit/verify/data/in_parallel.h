// Long loops over elements, cut among threads.
#ifndef OPKIT_VERIFY_DATA_IN_PARALLEL_H_
#define OPKIT_VERIFY_DATA_IN_PARALLEL_H_

#include <cstdint>
#include <functional>

namespace opkit::verify {

// Calls part(begin, end) for parts that make up 0 .. count, on as many threads as the host has;
// short loops stay on the caller's. Parts begin at multiples of 64, so that two never share a byte.
void in_parallel(int64_t count, const std::function<void(int64_t, int64_t)>& part);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_DATA_IN_PARALLEL_H_
