// Instructions that were checked when a launch was recorded: what they do in Fast mode, without
// their checks and without an observer.
#ifndef OPKIT_CORE_ISA_UNCHECKED_H_
#define OPKIT_CORE_ISA_UNCHECKED_H_

#include "opkit/core/isa/cube/matmul_call.h"
#include "opkit/core/state/core.h"

namespace opkit::core {

// REQUIRES of each: it is not empty, exec_*() has found nothing to say of one like it with operands
// in the same places of the same memories, and nobody observes the core.
void run_copy(Core& core, const opk_copy_v1& c);
void run_load(Core& core, const opk_load_v1& l);
void run_fixpipe(Core& core, const opk_fixpipe_v1& f);
// REQUIRES: B is dense, the object moves its operands itself, and nothing is put off.
void run_matmul(Core& core, const MatmulCall& x);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_UNCHECKED_H_
