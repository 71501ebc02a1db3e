// aicpu::CpuKernel and REGISTER_CPU_KERNEL ("AI CPU API", Macros): an operator that a host
// processor computes. An object lives for one call.
#ifndef OPKIT_INCLUDE_AICPU_CPU_KERNEL_H_
#define OPKIT_INCLUDE_AICPU_CPU_KERNEL_H_

#include <memory>
#include <string>

#include "aicpu/cpu_context.h"
#include "opkit_host/cpu_kernel.h"

namespace aicpu {

class CpuKernel {
 public:
  virtual ~CpuKernel() = default;
  // 0: done. Outputs hold the result; their dims are known before and stay.
  virtual uint32_t Compute(CpuKernelContext& ctx) = 0;
};

}  // namespace aicpu

#define OPKIT_CPU_KERNEL_AT(type, clazz, line)                              \
  static const ::opkit_host::CpuKernelRegistration opkit_cpu_kernel_##line( \
      type, [](::aicpu::CpuKernelContext& ctx) -> uint32_t { return clazz().Compute(ctx); })
#define OPKIT_CPU_KERNEL(type, clazz, line) OPKIT_CPU_KERNEL_AT(type, clazz, line)

// type: the op type, a text.
#define REGISTER_CPU_KERNEL(type, clazz) OPKIT_CPU_KERNEL(type, clazz, __LINE__)

#endif  // OPKIT_INCLUDE_AICPU_CPU_KERNEL_H_
