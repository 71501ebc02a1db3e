// y = saturate(round(relu(x * x_scale + shift)) + offset).
#include "last_steps.h"

using namespace AscendC;

struct Rescale {
  static constexpr uint32_t kScratch = sizeof(float);
  float scale;
  requant::LastSteps last;

  __aicore__ inline void operator()(const LocalTensor<half>& y, const LocalTensor<half>& x,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    const LocalTensor<float> wide = scratch.ReinterpretCast<float>();
    Cast(wide, x, RoundMode::CAST_NONE, count);
    Muls(wide, wide, scale, count);
    last(y, wide, count);
  }
};

extern "C" __global__ __aicore__ void requantize(GM_ADDR x, GM_ADDR x_scale, GM_ADDR shift,
                                                 GM_ADDR offset, GM_ADDR y, GM_ADDR workspace,
                                                 GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(RequantizeTilingData);
  GET_TILING_DATA(data, tiling);
  elementwise::Kernel<Rescale, elementwise::Out<DTYPE_Y>, elementwise::In<DTYPE_X>> op(data.view);
  op.Run({requant::NumberAt<float>(x_scale),
          {data.relu != 0, requant::NumberAt<float>(shift), requant::NumberAt<int8_t>(offset)}},
         y, x);
}
