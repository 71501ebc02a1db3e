// What the chip's architecture lacks of the engine's instructions (opk_arch_v1), and how that is
// said. Calls of the library are composed of instructions here that the chip's own library composes
// otherwise: inside them (opk_core::library) nothing is refused.
#ifndef OPKIT_CORE_ISA_ARCH_H_
#define OPKIT_CORE_ISA_ARCH_H_

#include "opkit/core/state/core.h"

namespace opkit::core {

// Nothing to ask: the chip has every call and type of the engine, or the library calls.
inline bool has_everything(const Core& core) { return !core.lacks_calls || core.library != 0; }

// A form that no chip refuses, but that works otherwise where the architecture does not name it.
bool arch_can(const Core& core, opk_arch_call call);

// Every one: true, or the instruction is refused (EK1215): "<instruction>: <what> does not exist on
// Ascend 310P (arch 2002), but on Ascend 910B and 910_93".
bool arch_has_vector(Core& core, const opk_vector_v1& v, const char* name, const void* pc);
bool arch_has_copy(Core& core, const opk_copy_v1& c, const char* name, const void* pc);
bool arch_has_atomic(Core& core, const char* name, const void* pc);
bool arch_has_load(Core& core, const opk_load_v1& l, const char* name, const void* pc);
bool arch_has_mmad(Core& core, const opk_mmad_v1& x, const void* pc);
// A call or form that no operand decides.
bool arch_has(Core& core, opk_arch_call call, const char* name, const void* pc);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_ARCH_H_
