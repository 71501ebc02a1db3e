// y = (x - mean) / sqrt(variance + epsilon) * scale + bias for every channel of every image.
#include "norm_formulas.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void instance_normalization(GM_ADDR x, GM_ADDR scale, GM_ADDR bias,
                                                             GM_ADDR y, GM_ADDR workspace,
                                                             GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(NormTiling);
  GET_TILING_DATA(data, tiling);
  using namespace rows;
  Kernel<norm::LayerNorm<norm::Plain, false>, Out<DTYPE_Y, RoundMode::CAST_RINT, float>,
         Joined<In<DTYPE_X, float>>, PerRow<DTYPE_SCALE, 2>>
      op(data.rows);
  op.Run(norm::LayerNorm<norm::Plain, false>(data.epsilon), y, List(x), List(scale, bias));
}
