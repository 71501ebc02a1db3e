// What chips lack that arch 2201 (Ascend 910B, 910_93) has. Known for arch 2002 (Ascend 310P), from
// the tables of supported products on the calls' pages; other chips refuse nothing here.
#ifndef OPKIT_CORE_ISA_ARCH_H_
#define OPKIT_CORE_ISA_ARCH_H_

#include "opkit/core/core.h"

namespace opkit::core {

constexpr uint32_t kArch310P = 2002;
constexpr uint32_t kArch910B = 2201;  // lacks nothing

// EK1215: "<instruction>: <what> does not exist on Ascend 310P (arch 2002)".
void refuse_on_arch(Core& core, const char* instruction, const char* what, const char* action,
                    const void* pc);

// True, or the instruction is refused.
bool arch_has_vector(Core& core, const opk_vector_v1& v, const char* name, const void* pc);
bool arch_has_copy(Core& core, const opk_copy_v1& c, const char* name, const void* pc);
bool arch_has_atomic(Core& core, const char* name, const void* pc);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_ARCH_H_
