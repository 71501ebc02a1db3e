// The unit-test API of kernels: a test's main runs a kernel as a function. (Vendor's page
// "CPU域孪生调试".)
#ifndef OPKIT_INCLUDE_TIKICPULIB_H_
#define OPKIT_INCLUDE_TIKICPULIB_H_

#include "opkit/include/opkit_launch/launch.h"

enum class KernelMode { MIX_MODE = 0, AIC_MODE = 1, AIV_MODE = 2 };

namespace AscendC {
using ::KernelMode;
// For the runs that follow. MIX_MODE, the default, runs a kernel as its source says.
inline void SetKernelMode(KernelMode mode) { opkit_set_kernel_mode(static_cast<int32_t>(mode)); }
// GM for a kernel; other memory is none that a kernel may touch. Ends the process when there is no
// memory or when what is freed was not allocated.
inline void* GmAlloc(size_t size) { return opkit_gm_alloc(size); }
inline void GmFree(void* memory) { opkit_gm_free(memory); }
}  // namespace AscendC

#define ICPU_SET_TILING_KEY(key) opkit_set_tiling_key(key)
#define ICPU_RUN_KF(func, blocks, ...) \
  ::opkit_launch::Kernel<&func>::test(#func, static_cast<int64_t>(blocks))(__VA_ARGS__)

#endif  // OPKIT_INCLUDE_TIKICPULIB_H_
