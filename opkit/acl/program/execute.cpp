#include "opkit/acl/program/execute.h"
#include "opkit/acl/base/faults.h"
#include "opkit/acl/device/device.h"

namespace opkit::acl {

opk_kernel_v1 entry_of(const char* name, int task_type, opk_kernel_fn aiv, opk_kernel_fn aic) {
  const bool cube = task_type != OPK_TASK_AIV_ONLY && task_type != OPK_TASK_MIX_AIV_1_0;
  const bool vector = task_type != OPK_TASK_AIC_ONLY && task_type != OPK_TASK_MIX_AIC_1_0;
  opk_kernel_v1 kernel = {};
  kernel.struct_size = sizeof kernel;
  kernel.column = OPK_ANY_COLUMN;
  kernel.tiling_key = OPK_ANY_TILING_KEY;
  kernel.name = name;
  kernel.task_type = task_type;
  kernel.arg_count = 1;
  kernel.aic = cube ? aic : nullptr;
  kernel.aiv = vector ? aiv : nullptr;
  return kernel;
}

aclError launch_now(const opk_kernel_v1& kernel, uint32_t blocks, const KernelArguments& arguments,
                    uint64_t tiling_key) {
  if (the_device().run(kernel, blocks, arguments, tiling_key)) return ACL_SUCCESS;
  return failed(kernel.name);
}

aclError failed(const char* kernel) {
  if (!EmulatedDevice::take_lateness())
    return faults().keep_kernel(
        fail(ACL_ERROR_RT_AICORE_EXCEPTION, "kernel %s failed (see stderr)", kernel));
  return faults().keep_kernel(
      fail(ACL_ERROR_RT_AICORE_TIMEOUT,
           "kernel %s took longer than aclrtSetOpExecuteTimeOut allows (see stderr)", kernel));
}

}  // namespace opkit::acl
