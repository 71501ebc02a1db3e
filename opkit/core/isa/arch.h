// What chips lack that arch 2201 (Ascend 910B, 910_93) has, and how that is said. The tables are in
// arch_table.h. Calls of the library are composed of instructions here that the chip's own library
// composes otherwise: inside them (opk_core::library) nothing is refused.
#ifndef OPKIT_CORE_ISA_ARCH_H_
#define OPKIT_CORE_ISA_ARCH_H_

#include "opkit/core/core.h"
#include "opkit/core/isa/arch_table.h"

namespace opkit::core {

// EK1215: "<instruction>: <what> does not exist on Ascend 310P (arch 2002)".
void refuse_on_arch(Core& core, const char* instruction, const char* what, const char* action,
                    const void* pc);

// Every one: true, or the instruction is refused.
bool arch_has_vector(Core& core, const opk_vector_v1& v, const char* name, const void* pc);
bool arch_has_copy(Core& core, const opk_copy_v1& c, const char* name, const void* pc);
bool arch_has_atomic(Core& core, const char* name, const void* pc);
bool arch_has_load(Core& core, const opk_load_v1& l, const char* name, const void* pc);
bool arch_has_mmad(Core& core, const opk_mmad_v1& x, const void* pc);
bool arch_has_fixpipe(Core& core, const void* pc);
bool arch_has_matmul(Core& core, const void* pc);
bool arch_has_cross_flags(Core& core, const char* name, const void* pc);
// soft: with work memory in GM.
bool arch_has_sync_all(Core& core, bool soft, const void* pc);
// IBSet, IBWait and their like.
bool arch_has_gm_words(Core& core, const void* pc);
bool arch_has_clock(Core& core, const void* pc);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_ARCH_H_
