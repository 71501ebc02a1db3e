// Checks that every instruction makes of its operands in every mode: inside the memory, inside the
// tensor, aligned. A failed check refuses the instruction through Core::refuse and returns false
// (only when an observer asked to go on; otherwise refuse does not return).
#ifndef OPKIT_CORE_ISA_OPERAND_H_
#define OPKIT_CORE_ISA_OPERAND_H_

#include "opkit/core/core.h"

namespace opkit::core {

// "UB", "L1", ...
const char* memory_name(uint32_t memory);
// "half", ... as in kernel sources.
const char* dtype_name(uint32_t dtype);
// Bits per element; 0 = unknown.
inline uint32_t dtype_bits(uint32_t dtype) {
  switch (dtype) {
    case OPK_INT4: return 4;
    case OPK_INT8:
    case OPK_UINT8:
    case OPK_BOOL: return 8;
    case OPK_FLOAT16:
    case OPK_BFLOAT16:
    case OPK_INT16:
    case OPK_UINT16: return 16;
    case OPK_FLOAT32:
    case OPK_INT32:
    case OPK_UINT32: return 32;
    case OPK_FLOAT64:
    case OPK_INT64:
    case OPK_UINT64: return 64;
    default: return 0;
  }
}
inline uint32_t dtype_bytes(uint32_t dtype) { return dtype_bits(dtype) / 8; }

struct Role {
  const char* instruction;  // "Add"
  const char* operand;      // "destination", "source 1"
  const void* pc;
  bool resumable = true;  // the instruction can be left out
};

// Cold: composes the fault and refuses.
void refuse_bounds(Core& core, const opk_operand& o, uint64_t bytes, const Role& role);
void refuse_alignment(Core& core, const opk_operand& o, uint32_t alignment, const Role& role);
void refuse_gm(Core& core, const opk_operand& o, uint64_t bytes, bool write, const Role& role);

// `bytes` from the operand's address on are touched, at a multiple of `alignment` bytes in its
// memory.
inline bool check_local(Core& core, const opk_operand& o, uint64_t bytes, uint32_t alignment,
                        const Role& role) {
  const uint8_t* base = core.memory[o.memory];
  const auto* address = static_cast<const uint8_t*>(o.address);
  const uint64_t offset = static_cast<uint64_t>(address - base);
  if (address < base || !base || bytes > o.bytes || offset + bytes > core.memory_size[o.memory])
      [[unlikely]] {
    return refuse_bounds(core, o, bytes, role), false;
  }
  if (offset % alignment != 0) [[unlikely]]
    return refuse_alignment(core, o, alignment, role), false;
  return true;
}

// GM ranges are known when the launch says so. True when bytes lie inside one of them.
bool check_gm(Core& core, const opk_operand& o, uint64_t bytes, bool write, const Role& role);

// The bytes of a read that lie in its GM tensor, when it ends in the tail that allocations have
// (GmRange::has_tail); else `bytes`.
uint64_t bytes_before_tail(const Core& core, const opk_operand& o, uint64_t bytes);

inline bool check_operand(Core& core, const opk_operand& o, uint64_t bytes, uint32_t alignment,
                          bool write, const Role& role) {
  return o.memory == OPK_MEM_GM ? check_gm(core, o, bytes, write, role)
                                : check_local(core, o, bytes, alignment, role);
}

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_OPERAND_H_
