// y = x + silu(convolution(silu(convolution(x, narrow_w) + narrow_bias), w) + bias). What lies
// between the convolutions stays in L2.
#include "c3_bottleneck_tiling.h"
#include "shortcut_finish.h"
#include "turned_bottleneck.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void c3_bottleneck(GM_ADDR x, GM_ADDR narrow_w,
                                                    GM_ADDR narrow_bias, GM_ADDR w, GM_ADDR bias,
                                                    GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(C3BottleneckTiling);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  if (TILING_KEY_IS(4)) {  // kConvTurned
    TurnedBottleneck<DTYPE_X> op(data, pipe, workspace);
    op.Run({x, narrow_w, narrow_bias, w, bias, y});
  } else if (TILING_KEY_IS(5)) {  // kConvTurnedByTurns
    TurnedBottleneck<DTYPE_X> op(data, pipe, workspace);
    op.RunByTurns({x, narrow_w, narrow_bias, w, bias, y});
  } else if (TILING_KEY_IS(0)) {  // the vector cores drive the cube unit
    using Narrow = conv_dense::BiasFinish<conv_dense::SiluAfter>;
    using Wide = ShortcutFinish<DTYPE_X>;
    conv_dense::Kernel<Narrow, DTYPE_X> narrow;
    conv_dense::Kernel<Wide, DTYPE_X> wide;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), narrow.mm, &data.narrow.cube, wide.mm,
                      &data.wide.cube);
    GM_ADDR between = GetUserWorkspace(workspace) + data.windows_bytes;
    narrow.Run(Narrow(pipe, data.narrow), data.narrow, pipe, x, narrow_w, between, workspace,
               narrow_bias);
    PipeBarrier<PIPE_ALL>();
    if (GetBlockNum() * GetTaskRation() > 1) SyncAll();  // windows see pixels of other cores
    pipe.Reset();
    wide.Run(Wide(pipe, data.wide, x, data.shortcut != 0), data.wide, pipe, between, w, y,
             workspace, bias);
  }
}
