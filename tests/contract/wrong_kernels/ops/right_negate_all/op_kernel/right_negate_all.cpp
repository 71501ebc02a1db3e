// ys[i] = -xs[i] + shift: one block for each tensor of the list.
#include "kernel_operator.h"
#include "right_negate_all_tiling.h"

using namespace AscendC;

constexpr uint32_t kTile = 2048;  // elements

extern "C" __global__ __aicore__ void right_negate_all(GM_ADDR xs, GM_ADDR shift, GM_ADDR ys,
                                                       GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(NegateAllTilingData);
  GET_TILING_DATA(data, tiling);
  uint64_t dims[8];
  TensorDesc<float> desc;
  desc.SetShapeAddr(dims);
  const ListTensorDesc sources((__gm__ void*)xs), targets((__gm__ void*)ys);
  sources.GetDesc(desc, GetBlockIdx());
  const auto count = static_cast<uint32_t>(desc.GetShape(0));
  GlobalTensor<float> x, y, number;
  x.SetGlobalBuffer(sources.GetDataPtr<float>(GetBlockIdx()), count);
  y.SetGlobalBuffer(targets.GetDataPtr<float>(GetBlockIdx()), count);
  number.SetGlobalBuffer((__gm__ float*)shift, 1);
  const float add = data.shifted ? number.GetValue(0) : 0.0f;
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, kTile * sizeof(float));
  pipe.InitBuffer(out, 1, kTile * sizeof(float));
  for (uint32_t at = 0; at < count; at += kTile) {
    const uint32_t part = count - at < kTile ? count - at : kTile;
    const auto bytes = static_cast<uint32_t>(part * sizeof(float));
    LocalTensor<float> source = in.AllocTensor<float>();
    DataCopyPad(source, x[at], DataCopyExtParams{1, bytes, 0, 0, 0},
                DataCopyPadExtParams<float>{false, 0, 0, 0});
    in.EnQue(source);
    source = in.DeQue<float>();
    LocalTensor<float> target = out.AllocTensor<float>();
    Muls(target, source, -1.0f, part);
    Adds(target, target, add, part);
    in.FreeTensor(source);
    out.EnQue(target);
    target = out.DeQue<float>();
    DataCopyPad(y[at], target, DataCopyExtParams{1, bytes, 0, 0, 0});
    out.FreeTensor(target);
  }
}
