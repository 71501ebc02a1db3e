// AtomicLog: floating-point atomic additions to GM, held back so that they happen in block order.
//
// The chip does not define the order in which cores' atomic additions happen; an emulator that let
// threads decide would give other bits on every run. Additions are therefore kept per core and
// applied in the order of blocks at SyncAll and at the end of the launch. Integer additions and
// max/min do not depend on the order and are done at once.
#ifndef OPKIT_CORE_ATOMIC_LOG_H_
#define OPKIT_CORE_ATOMIC_LOG_H_

#include <cstdint>
#include <vector>

#include "opkit/abi/core.h"

namespace opkit::core {

class AtomicLog {
 public:
  bool empty() const { return entries_.empty(); }
  // Remembers dst[i] += src[i] for n elements of a floating-point dtype.
  void add(void* dst, const void* src, uint64_t n, int32_t dtype);
  // Performs and forgets everything, in the order it came.
  void apply();
  void clear();

 private:
  struct Entry {
    void* dst;
    uint64_t offset;  // of the addends in bytes_
    uint64_t n;
    int32_t dtype;
  };
  std::vector<Entry> entries_;
  std::vector<uint8_t> bytes_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_ATOMIC_LOG_H_
