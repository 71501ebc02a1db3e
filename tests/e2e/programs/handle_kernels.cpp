// Kernels that are loaded by handle_main.cpp: parameters of many sizes, a struct, both core kinds.
#include "kernel_operator.h"

using namespace AscendC;

struct Scaling {
  float factor;
  uint16_t count;
};

extern "C" __global__ __vector__ void scale(GM_ADDR x, int8_t sign, Scaling scaling, GM_ADDR y) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  const uint32_t each = scaling.count / GetBlockNum(), first = each * GetBlockIdx();
  pipe.InitBuffer(in, 1, each * sizeof(float));
  pipe.InitBuffer(out, 1, each * sizeof(float));
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float*)x, scaling.count);
  yGm.SetGlobalBuffer((__gm__ float*)y, scaling.count);
  LocalTensor<float> a = in.AllocTensor<float>();
  DataCopy(a, xGm[first], each);
  in.EnQue(a);
  a = in.DeQue<float>();
  LocalTensor<float> b = out.AllocTensor<float>();
  Muls(b, a, scaling.factor * sign, each);
  out.EnQue(b);
  in.FreeTensor(a);
  b = out.DeQue<float>();
  DataCopy(yGm[first], b, each);
  out.FreeTensor(b);
}

// Which cores ran: 1 in the first word from the cube core, 2 in another line from a vector core.
extern "C" __global__ __mix__(1, 1) void both(GM_ADDR y) {
  GlobalTensor<int32_t> yGm;
  yGm.SetGlobalBuffer((__gm__ int32_t*)y, 32);
  if ASCEND_IS_AIC
    yGm.SetValue(0, 1);
  if ASCEND_IS_AIV
    yGm.SetValue(16, 2);
  DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(yGm);
}

// Reads outside of what it was given.
extern "C" __global__ __vector__ void faulty(GM_ADDR x) {
  GlobalTensor<float> xGm;
  xGm.SetGlobalBuffer((__gm__ float*)x + (1 << 24), 8);
  TPipe pipe;
  TBuf<QuePosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 32);
  LocalTensor<float> a = buffer.Get<float>();
  DataCopy(a, xGm, 8);
}
