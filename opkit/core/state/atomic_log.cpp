#include "opkit/core/state/atomic_log.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "opkit/abi/num/bfloat16.h"
#include "opkit/abi/num/half.h"

namespace opkit::core {
namespace {

uint64_t size_of(int32_t dtype) { return dtype == OPK_FLOAT32 ? 4 : 2; }

template <typename T>
void accumulate(uint8_t* out, const uint8_t* values, uint64_t n) {
  for (uint64_t i = 0; i < n; ++i) {
    T a, b;
    std::memcpy(&a, out + i * sizeof(T), sizeof(T));
    std::memcpy(&b, values + i * sizeof(T), sizeof(T));
    a = static_cast<T>(static_cast<float>(a) + static_cast<float>(b));
    std::memcpy(out + i * sizeof(T), &a, sizeof(T));
  }
}

}  // namespace

void Addition::happen() const {
  if (dtype == OPK_FLOAT32) accumulate<float>(dst, values, n);
  if (dtype == OPK_FLOAT16) accumulate<Half>(dst, values, n);
  if (dtype == OPK_BFLOAT16) accumulate<BFloat16>(dst, values, n);
}

void AtomicLog::add(void* dst, const void* values, uint64_t n, int32_t dtype) {
  auto* to = static_cast<uint8_t*>(dst);
  const uint64_t bytes = n * size_of(dtype);
  if (entries_.empty()) {
    bytes_.clear();
    low_ = to;
    high_ = to + bytes;
  }
  low_ = std::min<const uint8_t*>(low_, to);
  high_ = std::max<const uint8_t*>(high_, to + bytes);
  const uint64_t offset = bytes_.size();
  bytes_.resize(offset + bytes);
  std::memcpy(bytes_.data() + offset, values, bytes);
  if (continues_last(to, offset, dtype)) return void(entries_.back().n += n);
  entries_.push_back({to, offset, n, dtype, ++serial_});
}

// Rows of a matrix come in pieces.
bool AtomicLog::continues_last(const uint8_t* dst, uint64_t offset, int32_t dtype) const {
  if (entries_.empty()) return false;
  const Entry& last = entries_.back();
  const uint64_t bytes = last.n * size_of(dtype);
  return last.serial == serial_ && last.dtype == dtype && last.dst + bytes == dst &&
         last.offset + bytes == offset;
}

void AtomicLog::take(const uint8_t* begin, const uint8_t* end, uint32_t seat,
                     std::vector<Addition>* taken) {
  for (size_t i = 0; i < entries_.size();) {
    const Entry e = entries_[i];
    const uint64_t size = size_of(e.dtype);
    if (e.dst >= end || e.dst + e.n * size <= begin) {
      ++i;
      continue;
    }
    const uint64_t first = begin > e.dst ? static_cast<uint64_t>(begin - e.dst) / size : 0;
    const uint64_t last = std::min(e.n, (static_cast<uint64_t>(end - e.dst) + size - 1) / size);
    const auto part = [&](uint64_t from, uint64_t to) {
      return Entry{e.dst + from * size, e.offset + from * size, to - from, e.dtype, e.serial};
    };
    taken->push_back(addition(part(first, last), seat));
    entries_[i] = entries_.back();
    entries_.pop_back();
    if (first > 0) entries_.push_back(part(0, first));
    if (last < e.n) entries_.push_back(part(last, e.n));
  }
}

void AtomicLog::take_all(uint32_t seat, std::vector<Addition>* taken) {
  for (const Entry& e : entries_) taken->push_back(addition(e, seat));
  entries_.clear();
}

AtomicLog AtomicLog::hand_over() {
  AtomicLog all = std::move(*this);
  *this = {};
  serial_ = all.serial_;
  return all;
}

void AtomicLog::clear() {
  entries_.clear();
  bytes_.clear();
}

}  // namespace opkit::core
