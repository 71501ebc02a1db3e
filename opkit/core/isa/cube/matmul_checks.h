// What blocks of a Matmul object may not be. Each check says no itself (EK1711, bounds).
#ifndef OPKIT_CORE_ISA_CUBE_MATMUL_CHECKS_H_
#define OPKIT_CORE_ISA_CUBE_MATMUL_CHECKS_H_

#include "opkit/core/isa/cube/matmul_call.h"
#include "opkit/core/isa/cube/store_c.h"
#include "opkit/core/state/core.h"

namespace opkit::core {

bool check_types(Core& core, const MatmulCall& x, const void* pc);
bool check_inputs(Core& core, const MatmulCall& x, const void* pc);
bool check_output(Core& core, const MatmulCall& x, const BlockOfC& out, const void* pc);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_CUBE_MATMUL_CHECKS_H_
