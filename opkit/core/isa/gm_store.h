// Stores to GM while an atomic mode is set.
#ifndef OPKIT_CORE_ISA_GM_STORE_H_
#define OPKIT_CORE_ISA_GM_STORE_H_

#include <cstring>

#include "opkit/core/state/core.h"
#include "opkit/core/state/footprint.h"

namespace opkit::core {

// False: no atomic store of the type that SetAtomic* chose exists; the instruction is refused.
bool check_atomic(Core& core, const opk_operand& dst, const char* instruction, const void* pc);
// Combines bytes with GM as core.atomic and core.atomic_dtype say. REQUIRES: core.atomic is not
// NONE, check_atomic().
void store_atomic(Core& core, uint8_t* dst, const uint8_t* src, uint64_t bytes);
// A store to GM: overwrites, or combines while an atomic mode is set.
inline void store(Core& core, uint8_t* dst, const uint8_t* src, uint64_t bytes) {
  if (core.atomic != OPK_ATOMIC_NONE) return store_atomic(core, dst, src, bytes);
  core.meets_additions(dst, bytes);
  std::memmove(dst, src, bytes);
}

// Before an access to GM that is told in one piece: additions that come before it happen, to its
// bytes and to no others.
void meet_additions(Core& core, const Access& access);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_GM_STORE_H_
