// The kernel function that a contract asks for: there, under its name, with its arguments.
#ifndef OPKIT_BUILD_CODEGEN_KERNEL_ENTRY_H_
#define OPKIT_BUILD_CODEGEN_KERNEL_ENTRY_H_

#include "opkit/base/status.h"
#include "opkit/build/codegen/kernel_unit.h"

namespace opkit::codegen {

// At the function's line. OPK-GEN-010: no kernel function of that name; -011: it takes other
// arguments than the inputs, the outputs, workspace and tiling. What macros make is the compiler's
// business.
Status check_entry(const KernelPlan& plan);

}  // namespace opkit::codegen

#endif  // OPKIT_BUILD_CODEGEN_KERNEL_ENTRY_H_
