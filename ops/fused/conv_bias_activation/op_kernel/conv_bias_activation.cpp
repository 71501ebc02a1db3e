// y = act(convolution(x, w) + bias + addend).
#include "bend_finish.h"
#include "conv_turns.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void conv_bias_activation(GM_ADDR x, GM_ADDR w, GM_ADDR bias,
                                                           GM_ADDR addend, GM_ADDR y,
                                                           GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(ConvBiasActivationTilingData);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  if (TILING_KEY_IS(1)) {  // kConvOnCubes: nothing to add, and ReLU at most
    if ASCEND_IS_AIC {
      conv::RunCube<DTYPE_X>(pipe, data.which == kBendRelu, data.conv, x, w, bias, y);
    }
  } else if (TILING_KEY_IS(2)) {  // kConvByFractals
    if ASCEND_IS_AIC {
      conv::RunByFractals<DTYPE_X>(pipe, data.which == kBendRelu, data.conv, x, w, bias, y,
                                   workspace);
    }
  } else if (TILING_KEY_IS(3)) {  // kConvByTurns
    if ASCEND_IS_AIC {
      conv::LayOut<DTYPE_X>(data.conv, pipe, x, bias, workspace);
      conv::CubeCore<DTYPE_X, conv::Fractals<DTYPE_X>> cube(data.conv, pipe, x, w, bias);
      BendFinish<DTYPE_X> finish(data, pipe, addend != nullptr);
      conv::VectorCore<DTYPE_X, DTYPE_X, conv::OneCore> vector(data.conv, pipe, y, addend);
      conv::RunByTurns<DTYPE_X, DTYPE_X>(pipe, cube, vector, finish, data.conv, workspace);
    }
  } else if (TILING_KEY_IS(0)) {  // kConvOnBoth
    if ASCEND_IS_AIC {
      conv::CubeCore<DTYPE_X> core(data.conv, pipe, x, w, bias);
      conv::FillSlots<DTYPE_X, DTYPE_X>(core, data.conv, workspace);
    }
    if ASCEND_IS_AIV {
      BendFinish<DTYPE_X> finish(data, pipe, addend != nullptr);
      conv::VectorCore<DTYPE_X, DTYPE_X> core(data.conv, pipe, y, addend);
      core.EmptySlots(finish, workspace);
    }
  }
}
