// One kernel per type, defined by a macro that makes its name.
#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
__aicore__ inline void Scale(GM_ADDR x, GM_ADDR y, uint32_t count, int32_t factor) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, count * sizeof(T));
  pipe.InitBuffer(out, 1, count * sizeof(T));
  GlobalTensor<T> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ T*)x, count);
  yGm.SetGlobalBuffer((__gm__ T*)y, count);
  LocalTensor<T> a = in.AllocTensor<T>();
  DataCopy(a, xGm, count);
  in.EnQue(a);
  a = in.DeQue<T>();
  LocalTensor<T> b = out.AllocTensor<T>();
  Muls(b, a, static_cast<T>(factor), count);
  out.EnQue(b);
  in.FreeTensor(a);
  b = out.DeQue<T>();
  DataCopy(yGm, b, count);
  out.FreeTensor(b);
}

#define SCALE_KERNEL(TYPE)                                                                      \
  extern "C" __global__ __aicore__ void scale_##TYPE(__gm__ void* x, GM_ADDR y, uint32_t count, \
                                                     int32_t factor) {                          \
    Scale<TYPE>((GM_ADDR)x, y, count, factor);                                                  \
  }
SCALE_KERNEL(float)
SCALE_KERNEL(int32_t)

// Launches of a macro's parameter, as libraries wrap them.
#define LAUNCH(KERNEL) KERNEL<<<1, nullptr, stream>>>(x, y, count, factor)
extern "C" void launch_scale_float(void* stream, void* x, void* y, uint32_t count, int32_t factor) {
  LAUNCH(scale_float);
}
