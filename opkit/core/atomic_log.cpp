#include "opkit/core/atomic_log.h"

#include <cstring>

#include "opkit/num/bfloat16.h"
#include "opkit/num/half.h"

namespace opkit::core {
namespace {

template <typename T>
void accumulate(void* dst, const uint8_t* src, uint64_t n) {
  auto* out = static_cast<uint8_t*>(dst);
  for (uint64_t i = 0; i < n; ++i) {
    T a, b;
    std::memcpy(&a, out + i * sizeof(T), sizeof(T));
    std::memcpy(&b, src + i * sizeof(T), sizeof(T));
    a = static_cast<T>(static_cast<float>(a) + static_cast<float>(b));
    std::memcpy(out + i * sizeof(T), &a, sizeof(T));
  }
}

}  // namespace

void AtomicLog::add(void* dst, const void* src, uint64_t n, int32_t dtype) {
  const uint64_t bytes = n * (dtype == OPK_FLOAT32 ? 4 : 2);
  const uint64_t offset = bytes_.size();
  bytes_.resize(offset + bytes);
  std::memcpy(bytes_.data() + offset, src, bytes);
  entries_.push_back({dst, offset, n, dtype});
}

void AtomicLog::apply() {
  for (const Entry& e : entries_) {
    const uint8_t* src = bytes_.data() + e.offset;
    if (e.dtype == OPK_FLOAT32) accumulate<float>(e.dst, src, e.n);
    if (e.dtype == OPK_FLOAT16) accumulate<Half>(e.dst, src, e.n);
    if (e.dtype == OPK_BFLOAT16) accumulate<BFloat16>(e.dst, src, e.n);
  }
  clear();
}

void AtomicLog::clear() {
  entries_.clear();
  bytes_.clear();
}

}  // namespace opkit::core
