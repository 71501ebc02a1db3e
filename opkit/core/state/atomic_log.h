// AtomicLog: floating-point atomic additions of one core to GM that have not happened yet.
//
// The chip does not define the order in which cores' atomic additions happen; an emulator that let
// threads decide would give other bits on every run. Additions are therefore kept until somebody
// can see them (docs/decisions/0015). Integer additions and max/min do not depend on the order and
// are done at once.
#ifndef OPKIT_CORE_STATE_ATOMIC_LOG_H_
#define OPKIT_CORE_STATE_ATOMIC_LOG_H_

#include <cstdint>
#include <vector>

#include "opkit/abi/core.h"

namespace opkit::core {

// dst[i] += values[i] for n elements of a floating-point dtype.
struct Addition {
  uint8_t* dst;
  const uint8_t* values;
  uint64_t n;
  int32_t dtype;
  uint32_t seat;    // belongs to the core that adds; cores come in this order
  uint64_t serial;  // numbers the addition in its core

  void happen() const;
  bool operator<(const Addition& o) const {
    return seat != o.seat ? seat < o.seat : serial != o.serial ? serial < o.serial : dst < o.dst;
  }
};

class AtomicLog {
 public:
  bool empty() const { return entries_.empty(); }
  // Tells whether an addition may touch bytes of [begin, end).
  bool may_touch(const uint8_t* begin, const uint8_t* end) const {
    return !entries_.empty() && begin < high_ && low_ < end;
  }

  // Notes an addition. The values are copied.
  void add(void* dst, const void* values, uint64_t n, int32_t dtype);

  // Takes what touches [begin, end), in whole elements, out of the log. What is taken points into
  // the log until its next add().
  void take(const uint8_t* begin, const uint8_t* end, uint32_t seat, std::vector<Addition>* taken);
  void take_all(uint32_t seat, std::vector<Addition>* taken);

  // Hands everything over; the log goes on empty, its serial numbers go on.
  AtomicLog hand_over();
  void clear();

 private:
  struct Entry {
    uint8_t* dst;
    uint64_t offset;  // tells where the values lie in bytes_
    uint64_t n;
    int32_t dtype;
    uint64_t serial;
  };

  bool continues_last(const uint8_t* dst, uint64_t offset, int32_t dtype) const;
  Addition addition(const Entry& entry, uint32_t seat) const {
    return {entry.dst, bytes_.data() + entry.offset, entry.n, entry.dtype, seat, entry.serial};
  }

  std::vector<Entry> entries_;
  std::vector<uint8_t> bytes_;
  const uint8_t* low_ = nullptr;  // every entry lies in [low_, high_)
  const uint8_t* high_ = nullptr;
  uint64_t serial_ = 0;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_ATOMIC_LOG_H_
