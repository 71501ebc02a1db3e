// What every kind of launch comes down to.
#ifndef OPKIT_ACL_PROGRAM_EXECUTE_H_
#define OPKIT_ACL_PROGRAM_EXECUTE_H_

#include <vector>

#include "opkit/acl/device/device.h"

namespace opkit::acl {

// Runs the kernel to its end, without the runtime's lock.
aclError launch_now(const opk_kernel_v1& kernel, uint32_t blocks, const KernelArguments& arguments,
                    uint64_t tiling_key = 0);

// Keeps in mind that a kernel failed, and returns the code for it.
aclError failed(const char* kernel);

// Returns the table entry of a kernel with one block of arguments.
opk_kernel_v1 entry_of(const char* name, int task_type, opk_kernel_fn aiv, opk_kernel_fn aic);

constexpr int64_t kMostBlocks = 65535;  // the vendor's limit of blockDim

}  // namespace opkit::acl

#endif  // OPKIT_ACL_PROGRAM_EXECUTE_H_
