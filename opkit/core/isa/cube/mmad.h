// How Mmad computes; its checks are in mmad.cpp.
#ifndef OPKIT_CORE_ISA_CUBE_MMAD_H_
#define OPKIT_CORE_ISA_CUBE_MMAD_H_

#include "opkit/core/isa/cube/mmad_form.h"
#include "opkit/core/state/core.h"

namespace opkit::core {

// Warns when the elements behind k, to the end of the last fractals of A and B, would change the
// product. REQUIRES: x was checked, and the operands hold data.
void judge_behind_k(Core& core, const opk_mmad_v1& x, const void* pc);

// REQUIRES: x was checked.
void compute_mmad(Core& core, const opk_mmad_v1& x);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_CUBE_MMAD_H_
