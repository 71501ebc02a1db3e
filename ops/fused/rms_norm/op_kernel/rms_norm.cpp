// y = x / sqrt(mean(x * x) + epsilon) * scale along the last dim.
#include "norm_formulas.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void rms_norm(GM_ADDR x, GM_ADDR scale, GM_ADDR y,
                                               GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(NormTiling);
  GET_TILING_DATA(data, tiling);
  using namespace rows;
  using Wide = In<DTYPE_X, float>;
  Kernel<norm::RmsNorm, Out<DTYPE_Y, RoundMode::CAST_RINT, float>, Joined<Wide>, OneRow<Wide>> op(
      data.rows);
  op.Run(norm::RmsNorm(data.epsilon), y, List(x), List(scale));
}
