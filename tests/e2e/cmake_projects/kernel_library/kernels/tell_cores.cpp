#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
__aicore__ inline T Number() {
  return (T)7;
}

// A mixed kernel: its cube cores and its vector cores each write where they are told to.
extern "C" __global__ __aicore__ void tell_cores(GM_ADDR cube, GM_ADDR vector, int32_t add) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
  GlobalTensor<int32_t> to;
  if ASCEND_IS_AIC {
    to.SetGlobalBuffer((__gm__ int32_t*)cube, 1);
    to.SetValue(0, Number<int32_t>() + add);
  } else {
    to.SetGlobalBuffer((__gm__ int32_t*)vector, 1);
    to.SetValue(0, 10 * Number<int32_t>() + add);
  }
  DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE>(to);
}
