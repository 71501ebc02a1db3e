// Kernels that are named by numbers, loaded by data_main.cpp. OFFSET makes another object of them.
#include "kernel_operator.h"

#ifndef OFFSET
#define OFFSET 0
#endif

using namespace AscendC;

#define FILL(name, number)                                                                        \
  extern "C" __global__ __vector__ void name##_##number(GM_ADDR y) {                              \
    GlobalTensor<int32_t> yGm;                                                                    \
    yGm.SetGlobalBuffer((__gm__ int32_t*)y, 8);                                                   \
    yGm.SetValue(0, number + OFFSET);                                                             \
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(yGm); \
  }
FILL(fill, 3)
FILL(fill, 40)
FILL(fill, 5)
FILL(twin, 5)

// Reads outside of what it was given.
extern "C" __global__ __vector__ void outside_9(GM_ADDR x) {
  GlobalTensor<float> xGm;
  xGm.SetGlobalBuffer((__gm__ float*)x + (1 << 24), 8);
  TPipe pipe;
  TBuf<QuePosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 32);
  LocalTensor<float> a = buffer.Get<float>();
  DataCopy(a, xGm, 8);
}
