#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void plain_sum(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace,
                                                GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  constexpr uint32_t kTile = 2048;
  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out;
  GlobalTensor<float> a, b, sum;
  a.SetGlobalBuffer((__gm__ float*)x, data.length);
  b.SetGlobalBuffer((__gm__ float*)y, data.length);
  sum.SetGlobalBuffer((__gm__ float*)z, data.length);
  pipe.InitBuffer(in, 1, 2 * kTile * sizeof(float));
  pipe.InitBuffer(out, 1, kTile * sizeof(float));
  for (uint32_t at = 0; at < data.length; at += kTile) {
    const uint32_t count = data.length - at < kTile ? data.length - at : kTile;
    LocalTensor<float> both = in.AllocTensor<float>();
    DataCopy(both, a[at], count);
    DataCopy(both[kTile], b[at], count);
    in.EnQue(both);
    both = in.DeQue<float>();
    LocalTensor<float> result = out.AllocTensor<float>();
    Add(result, both, both[kTile], count);
    out.EnQue(result);
    result = out.DeQue<float>();
    DataCopy(sum[at], result, count);
    in.FreeTensor(both);
    out.FreeTensor(result);
  }
}
