// Checks that every instruction makes of its operands in every mode: inside the memory and aligned,
// and inside the tensor where an observer forbids more (docs/decisions/0014). A failed check
// refuses the instruction through Core::refuse and returns false (only when an observer asked to go
// on; otherwise refuse does not return).
#ifndef OPKIT_CORE_ISA_OPERAND_H_
#define OPKIT_CORE_ISA_OPERAND_H_

#include "opkit/core/isa/element_type.h"
#include "opkit/core/state/core.h"

namespace opkit::core {

// "UB", "L1", ...
const char* memory_name(uint32_t memory);

struct Role {
  const char* instruction;  // "Add"
  const char* operand;      // "destination", "source 1"
  const void* pc;
  bool resumable = true;      // the instruction can be left out
  bool whole_blocks = false;  // a copy that moves 32 bytes at least, and so may end in a GM tail
};

// Tells whether `bytes` from the operand's address on lie in its memory and its tensor, and the
// address is a multiple of `alignment` bytes there.
inline bool lies_in_local(const Core& core, const opk_operand& o, uint64_t bytes,
                          uint32_t alignment) {
  const uint8_t* base = core.memory[o.memory];
  const auto* address = static_cast<const uint8_t*>(o.address);
  const uint64_t offset = static_cast<uint64_t>(address - base);
  return base && address >= base && bytes <= o.bytes &&
         offset + bytes <= core.memory_size[o.memory] && offset % alignment == 0;
}

// Tells whether the chip's memory has these bytes, whatever the tensor says.
bool lies_in_memory(const Core& core, const opk_operand& o, uint64_t bytes);

// Cold: an operand for which lies_in_local does not hold. True: the chip does it.
bool judge_local(Core& core, const opk_operand& o, uint64_t bytes, uint32_t alignment,
                 const Role& role);

inline bool check_local(Core& core, const opk_operand& o, uint64_t bytes, uint32_t alignment,
                        const Role& role) {
  if (lies_in_local(core, o, bytes, alignment)) [[likely]]
    return true;
  return judge_local(core, o, bytes, alignment, role);
}

// GM ranges are known when the launch says so. Whether the bytes lie inside the operand's tensor
// and inside one of them, which may be written when they are.
bool lies_in_gm(const Core& core, const opk_operand& o, uint64_t bytes, bool write);
// True when the bytes lie in the memory of one range, or where nothing is known of GM, in the
// operand's tensor.
bool check_gm(Core& core, const opk_operand& o, uint64_t bytes, bool write, const Role& role);

// A scalar behind the end of its tensor. True: the memory has it, and the chip does it.
bool judge_index(Core& core, const opk_operand& element, const opk_operand& tensor,
                 const Role& role);

inline bool check_operand(Core& core, const opk_operand& o, uint64_t bytes, uint32_t alignment,
                          bool write, const Role& role) {
  return o.memory == OPK_MEM_GM ? check_gm(core, o, bytes, write, role)
                                : check_local(core, o, bytes, alignment, role);
}

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_OPERAND_H_
