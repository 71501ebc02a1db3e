// Footprint: what an instruction touches, told to observers before it runs. Built only when
// somebody watches.
#ifndef OPKIT_CORE_STATE_FOOTPRINT_H_
#define OPKIT_CORE_STATE_FOOTPRINT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "opkit/abi/core.h"

namespace opkit::core {

// Bytes of one operand: `repeats` times `blocks` runs of `block_bytes`.
struct Access {
  opk_memory memory = OPK_MEM_UB;
  const uint8_t* address = nullptr;
  uint32_t block_bytes = 0;
  uint32_t blocks = 1;
  int64_t block_pitch = 0;  // bytes, start to start
  uint32_t repeats = 1;
  int64_t repeat_pitch = 0;  // bytes, start to start
  bool write = false;
  bool partial = false;    // masked: some bytes of the runs may be left alone
  bool reference = false;  // a C++ reference was given out: read, and perhaps written
  // When lane_bytes is not 0, which bytes: bit i is the i-th element of lane_bytes bytes in the
  // blocks of every repeat.
  uint8_t lane_bytes = 0;
  uint8_t dtype = OPK_DTYPE_UNDEFINED;
  std::array<uint64_t, 2> lanes{};
  uint16_t buffer = 0;  // TPipe buffer id, 0 = none; in GM: 1 = bypasses L2
};

// Tells whether all runs are one.
constexpr bool is_dense(const Access& a) {
  return (a.blocks <= 1 || a.block_pitch == a.block_bytes) &&
         (a.repeats <= 1 || a.repeat_pitch == int64_t{a.blocks} * a.block_bytes);
}

enum class InstructionKind : uint8_t {
  kVector,
  kCopy,
  kLoad,
  kMmad,
  kFixpipe,
  kTranspose16,
  kScalar,
  kMatmul
};

// Room for accesses; only what was added is ever touched.
template <uint32_t kMost>
class AccessList {
 public:
  AccessList() {}
  Access& operator[](size_t i) { return items_[i]; }
  const Access& operator[](size_t i) const { return items_[i]; }
  const Access* begin() const { return items_; }
  Access& put(size_t i, const Access& a) { return *::new (&items_[i]) Access(a); }
  template <typename Make>
  Access& make(size_t i, Make&& make_access) {
    return *::new (&items_[i]) Access(make_access());
  }

 private:
  union {
    Access items_[kMost];
  };
};

struct Footprint {
  static constexpr uint32_t kMaxAccesses = 40;

  const char* name = "";
  InstructionKind kind = InstructionKind::kVector;
  opk_pipe pipe = OPK_PIPE_V;
  uint32_t access_count = 0;
  AccessList<kMaxAccesses> access;
  const void* instruction = nullptr;  // the opk_*_v1 struct of that kind
  const void* pc = nullptr;           // return address in the kernel

  Access& add(const Access& a) { return access.put(access_count++, a); }
  // Made in place: a copy of what was written just before, field by field, would wait for the
  // stores.
  template <typename Make>
  Access& make(Make&& make_access) {
    return access.make(access_count++, std::forward<Make>(make_access));
  }
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_FOOTPRINT_H_
