// A kernel in a source of its own; its unit test's main is sub_main.cpp.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sub_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  GlobalTensor<int32_t> xGm, yGm, zGm;
  const uint32_t count = TILING_KEY_IS(2) ? 64 : 32;
  xGm.SetGlobalBuffer((__gm__ int32_t*)x + GetBlockIdx() * 64, count);
  yGm.SetGlobalBuffer((__gm__ int32_t*)y + GetBlockIdx() * 64, count);
  zGm.SetGlobalBuffer((__gm__ int32_t*)z + GetBlockIdx() * 64, count);
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 2, 64 * sizeof(int32_t));
  pipe.InitBuffer(out, 1, 64 * sizeof(int32_t));
  LocalTensor<int32_t> a = in.AllocTensor<int32_t>();
  LocalTensor<int32_t> b = in.AllocTensor<int32_t>();
  DataCopy(a, xGm, count);
  DataCopy(b, yGm, count);
  in.EnQue(a);
  in.EnQue(b);
  a = in.DeQue<int32_t>();
  b = in.DeQue<int32_t>();
  LocalTensor<int32_t> c = out.AllocTensor<int32_t>();
  Sub(c, a, b, count);
  out.EnQue(c);
  c = out.DeQue<int32_t>();
  DataCopy(zGm, c, count);
  out.FreeTensor(c);
  in.FreeTensor(a);
  in.FreeTensor(b);
}
