// StripKey: how an instruction with iterations looks that takes up a strip where the one before
// ended. Such instructions are recognised by comparing a few words, without finding out again what
// they mean and whether they are right: only their addresses have moved on, and the bounds of those
// are looked at.
#ifndef OPKIT_CORE_PUT_OFF_STRIP_KEY_H_
#define OPKIT_CORE_PUT_OFF_STRIP_KEY_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "opkit/abi/core.h"

namespace opkit::core {

struct StripKey {
  uint8_t operands = 0;    // 0: no instruction fits
  uint64_t head = 0;       // op, form, number of operands, repeat, mode, flags
  uint64_t place[3] = {};  // tells of every operand strides, dtype, memory, buffer
  uint64_t mask[2] = {};   // holds the mask register
  uint64_t scalar[2] = {};
  uint64_t ctrl = 0;
  uint64_t extent[3] = {};     // bytes from an operand's address on that an instruction touches
  const uint8_t* end[3] = {};  // ends the memory of each operand

  static uint64_t word(const void* from) {
    uint64_t bits;
    std::memcpy(&bits, from, sizeof bits);
    return bits;
  }
  static uint64_t head_of(const opk_vector_v1& v) { return word(&v); }
  static uint64_t place_of(const opk_operand& o) { return word(&o.block_stride); }

  // Tells whether the instruction is the same but for its addresses, and lies well.
  bool fits(const opk_vector_v1& v, const opk_core& core) const {
    if (operands == 0 || head != head_of(v) || core.mask_mode != 0) return false;
    if (mask[0] != core.mask[0] || mask[1] != core.mask[1]) return false;
    if (scalar[0] != v.scalar[0] || scalar[1] != v.scalar[1] || ctrl != core.ctrl) return false;
    for (unsigned i = 0; i < operands; ++i) {
      if (place[i] != place_of(v.operand[i]) || v.operand[i].bytes < extent[i]) return false;
      if (static_cast<const uint8_t*>(v.operand[i].address) + extent[i] > end[i]) return false;
    }
    return true;
  }
};

static_assert(offsetof(opk_vector_v1, count) == 8 && sizeof(opk_operand) == 24 &&
              offsetof(opk_operand, block_stride) == 16);

}  // namespace opkit::core

#endif  // OPKIT_CORE_PUT_OFF_STRIP_KEY_H_
