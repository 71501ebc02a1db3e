// GmViews: copies from GM that have not been made. In Fast mode a large contiguous copy into UB is
// only noted; vector instructions that read exactly from it read GM instead, and the copy is made
// as soon as anything else could see the difference: a write to that part of GM or (in part) of UB,
// a scalar access, a flag for the scalar pipe, a wait for another core.
//
// A copy costs a read and a write per byte; element-wise kernels are bound by just that.
#ifndef OPKIT_CORE_PUT_OFF_GM_VIEWS_H_
#define OPKIT_CORE_PUT_OFF_GM_VIEWS_H_

#include <cstdint>

namespace opkit::core {

class GmViews {
 public:
  // Below this a copy costs less than its bookkeeping.
  static constexpr uint64_t kMinBytes = 512;

  // Notes that `bytes` at local mean those at gm. False when there is no place; the caller copies
  // then. REQUIRES: written(local, bytes) was called before.
  bool add(uint8_t* local, const uint8_t* gm, uint64_t bytes);

  // Returns where the bytes that local means can be read. They must not be written through the
  // answer.
  const uint8_t* read(const uint8_t* local, uint64_t bytes) {
    return count_ == 0 ? local : find(local, bytes);
  }
  // Before local memory is overwritten.
  void written(const uint8_t* local, uint64_t bytes) {
    if (count_ != 0) forget_local(local, bytes);
  }
  // Before some of these bytes are read or overwritten.
  void make_parts_of(const uint8_t* local, uint64_t bytes) {
    if (count_ != 0) make_those_at(local, bytes);
  }
  // Before GM is overwritten.
  void gm_written(const uint8_t* gm, uint64_t bytes) {
    if (count_ != 0) copy_gm(gm, bytes);
  }
  // Makes every copy.
  void settle() {
    if (count_ != 0) settle_all();
  }
  void clear() { count_ = 0; }
  bool empty() const { return count_ == 0; }

 private:
  static constexpr uint32_t kMaxViews = 8;
  struct View {
    uint8_t* local;
    const uint8_t* gm;
    uint64_t bytes;
  };

  const uint8_t* find(const uint8_t* local, uint64_t bytes);
  void forget_local(const uint8_t* local, uint64_t bytes);
  void make_those_at(const uint8_t* local, uint64_t bytes);
  void copy_gm(const uint8_t* gm, uint64_t bytes);
  void settle_all();
  void make(uint32_t i);
  void remove(uint32_t i) { views_[i] = views_[--count_]; }

  View views_[kMaxViews];
  uint32_t count_ = 0;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_PUT_OFF_GM_VIEWS_H_
