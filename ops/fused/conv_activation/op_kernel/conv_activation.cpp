// y = act(convolution(x, w) + bias).
#include "conv_activation_tiling.h"
#include "conv_channel_bias.h"
#include "conv_turned_by_turns.h"

using namespace AscendC;

struct BendAfter {
  uint32_t which;
  float least, most;
  LocalTensor<float> work;

  __aicore__ inline void operator()(const LocalTensor<float>& x, uint32_t count) const {
    if (which == kBendRelu) {
      Relu(x, x, count);
    } else if (which == kBendClip) {
      Maxs(x, x, least, count);
      Mins(x, x, most, count);
    } else if (which == kBendSilu) {
      Muls(work, x, -1.0f, count);
      Exp(work, work, count);
      Adds(work, work, 1.0f, count);
      Div(x, x, work, count);
    } else {
      Muls(work, x, 1.0f / 6.0f, count);
      Adds(work, work, 0.5f, count);
      Maxs(work, work, 0.0f, count);
      Mins(work, work, 1.0f, count);
      Mul(x, x, work, count);
    }
  }
};

extern "C" __global__ __aicore__ void conv_activation(GM_ADDR x, GM_ADDR w, GM_ADDR bias, GM_ADDR y,
                                                      GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(ConvActivationTilingData);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  const bool has_bias = data.conv.has_bias != 0;
  BendAfter bend{data.which, data.least, data.most, {}};
  TBuf<TPosition::VECCALC> work;
  const auto take_work = [&] {
    if (data.work == 0) return;
    pipe.InitBuffer(work, data.work * sizeof(float));
    bend.work = work.Get<float>();
  };
  if (TILING_KEY_IS(3)) {  // kConvPlanes
    if ASCEND_IS_AIV {
      take_work();
      conv_dense::PlaneBias<BendAfter, DTYPE_X> after{has_bias, bend, {}};
      after.bias.SetGlobalBuffer((__gm__ DTYPE_X*)bias);
      conv_dense::RunPlanes<DTYPE_X>(after, data.conv, pipe, x, w, y);
    }
  } else if (TILING_KEY_IS(4)) {  // kConvTurned
    const auto make = [&] {
      take_work();
      return conv_dense::BlockBias<BendAfter>{has_bias, bend};
    };
    conv_dense::RunTurned<DTYPE_X>(make, data.conv, pipe, x, w, y, workspace,
                                   has_bias ? bias : nullptr);
  } else if (TILING_KEY_IS(5)) {  // kConvTurnedByTurns
    const auto make = [&] {
      take_work();
      return conv_dense::BlockBias<BendAfter>{has_bias, bend};
    };
    conv_dense::RunTurnedByTurns<DTYPE_X>(make, data.conv, pipe, x, w, y, workspace,
                                          has_bias ? bias : nullptr);
  } else if (TILING_KEY_IS(1) || TILING_KEY_IS(2)) {  // kConvPlain, kConvWindows
    if ASCEND_IS_AIV {
      take_work();
    }
    conv_dense::Kernel<conv_dense::BlockBias<BendAfter>, DTYPE_X> op;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &data.conv.cube);
    op.Run({has_bias, bend}, data.conv, pipe, x, w, y, workspace, has_bias ? bias : nullptr);
  }
}
