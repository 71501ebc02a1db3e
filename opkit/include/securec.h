// The bounds-checked memory functions that host sources use (C11 Annex K's shape). They return 0,
// or leave the destination alone and return a code when the sizes do not fit.
#ifndef OPKIT_INCLUDE_SECUREC_H_
#define OPKIT_INCLUDE_SECUREC_H_

#include <cerrno>
#include <cstddef>
#include <cstring>

#ifndef EOK
#define EOK 0
#endif
using errno_t = int;

inline errno_t memset_s(void* to, size_t capacity, int value, size_t count) {
  if (to == nullptr) return EINVAL;
  if (count > capacity) return ERANGE;
  std::memset(to, value, count);
  return EOK;
}
inline errno_t memcpy_s(void* to, size_t capacity, const void* from, size_t count) {
  if (to == nullptr || from == nullptr) return EINVAL;
  if (count > capacity) return ERANGE;
  std::memcpy(to, from, count);
  return EOK;
}

#endif  // OPKIT_INCLUDE_SECUREC_H_
