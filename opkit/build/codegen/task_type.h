// The names of kernel types and what they mean for the build.
#ifndef OPKIT_BUILD_CODEGEN_TASK_TYPE_H_
#define OPKIT_BUILD_CODEGEN_TASK_TYPE_H_

#include <string>

#include "opkit/base/status.h"
#include "opkit/build/codegen/kernel_source.h"
#include "opkit/contract/op_contract.h"

namespace opkit::codegen {

// opk_task_type of KERNEL_TYPE_*. OPK-GEN-001.
Result<int> task_type_named(const std::string& word);

// Stands for an opk_task_type that the linked plugin decides: one cube with two vector cores when
// what the kernel's units reach calls the cube unit, else vector cores only.
// opkit_kernel::kTypeByReach.
inline constexpr int kTaskTypeByReach = -2;

// opk_task_type of the kernel: from the contract, else from KERNEL_TASK_TYPE_DEFAULT in the source,
// else vector cores only, or kTaskTypeByReach when the source names a call of the cube unit.
int default_task_type(const OpContract& contract, const KernelSource& source);

bool runs_on_cube(int task_type);
bool runs_on_vector(int task_type);

}  // namespace opkit::codegen

#endif  // OPKIT_BUILD_CODEGEN_TASK_TYPE_H_
