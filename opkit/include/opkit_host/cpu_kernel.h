// CpuKernel classes behind the waist: a call is written into the launch's tiling data when it is
// planned, and the entry of the kernel reads it back, with the tensors' addresses.
#ifndef OPKIT_HOST_CPU_KERNEL_H_
#define OPKIT_HOST_CPU_KERNEL_H_

#include <cstddef>
#include <cstdint>

#include "opkit/abi/aicpu.h"
#include "opkit/abi/plugin.h"

namespace aicpu {
class CpuKernelContext;
}

namespace opkit_host {

using CpuCompute = uint32_t (*)(aicpu::CpuKernelContext& ctx);

// What REGISTER_CPU_KERNEL leaves: which function computes an op type.
class __attribute__((visibility("hidden"))) CpuKernelRegistration {
 public:
  CpuKernelRegistration(const char* type, CpuCompute compute);
};

// Whether some class was registered for the type.
__attribute__((visibility("hidden"))) bool has_cpu_kernel(const char* type);

// opk_op_v1::tile of such an op: one block, and the call as tiling data.
__attribute__((visibility("hidden"))) int32_t tile_cpu_kernel(const opk_call_v1* call,
                                                              opk_tiling_v1* answer);

// What the kernel's arguments are: inputs, then outputs; dynamic ones come as lists of tensors.
struct CpuPorts {
  const bool* dynamic;
  size_t inputs, outputs;
};

// The kernel's entry. A Compute that fails, throws or changes an output's dims ends the block with
// EK1607 or EK1608.
__attribute__((visibility("hidden"))) void run_cpu_kernel(opk_core* core, void* const* args,
                                                          const CpuPorts& ports);

}  // namespace opkit_host

#endif  // OPKIT_HOST_CPU_KERNEL_H_
