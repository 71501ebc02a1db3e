// y = relu(conv(relu(conv(relu(conv(x, narrow_w))), w)), wide_w) + addend), each with bias. The
// cube units alone make the first two convolutions, into the workspace, and wait for each other
// behind each; vector units add and clip tiles of the third one.
#include "conv.h"
#include "conv_bottleneck_tiling.h"

using namespace AscendC;

// A block's cube core has written its part of a convolution. conv_vector.h has flags 0 and 1.
constexpr uint16_t kLayerDone = 2;

// y = relu(sums + addend): the sums lie in the workspace as an op apart would have stored them.
template <typename T>
struct AddReluFinish {
  __aicore__ inline void operator()(const LocalTensor<T>& out, const LocalTensor<T>& sums,
                                    const LocalTensor<T>& addend, const conv::Piece& piece) const {
    Add(sums, sums, addend, piece.count);
    Relu(out, sums, piece.count);
  }
};

// Makes one of the convolutions whose result all cube cores read.
template <typename T>
__aicore__ inline void OneLayer(TPipe& pipe, const ConvTiling& t, GM_ADDR x, GM_ADDR w,
                                GM_ADDR bias, GM_ADDR y) {
  conv::RunCube<T>(pipe, true, t, x, w, bias, y);
  CrossCoreSetFlag<0x0, PIPE_FIX>(kLayerDone);
  CrossCoreWaitFlag(kLayerDone);
  PipeBarrier<PIPE_ALL>();
  pipe.Reset();
}

// Makes one of these convolutions on cores that are both kinds.
template <typename T>
__aicore__ inline void OneLayerByFractals(TPipe& pipe, const ConvTiling& t, GM_ADDR x, GM_ADDR w,
                                          GM_ADDR bias, GM_ADDR y, GM_ADDR workspace) {
  conv::RunByFractals<T>(pipe, true, t, x, w, bias, y, workspace);
  conv::MeetAll(pipe);
}

extern "C" __global__ __aicore__ void conv_bottleneck(GM_ADDR x, GM_ADDR narrow_w,
                                                      GM_ADDR narrow_bias, GM_ADDR w, GM_ADDR bias,
                                                      GM_ADDR wide_w, GM_ADDR wide_bias,
                                                      GM_ADDR addend, GM_ADDR y, GM_ADDR workspace,
                                                      GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(ConvBottleneckTilingData);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  GM_ADDR narrow = GetUserWorkspace(workspace) + data.narrow_at;
  GM_ADDR between = GetUserWorkspace(workspace) + data.between_at;
  AddReluFinish<DTYPE_X> finish;
  if (TILING_KEY_IS(3)) {  // kConvByTurns
    if ASCEND_IS_AIC {
      OneLayerByFractals<DTYPE_X>(pipe, data.narrow, x, narrow_w, narrow_bias, narrow, workspace);
      OneLayerByFractals<DTYPE_X>(pipe, data.middle, narrow, w, bias, between, workspace);
      conv::LayOut<DTYPE_X>(data.wide, pipe, between, wide_bias, workspace);
      conv::CubeCore<DTYPE_X, conv::Fractals<DTYPE_X>> cube(data.wide, pipe, between, wide_w,
                                                            wide_bias);
      conv::VectorCore<DTYPE_X, DTYPE_X, conv::OneCore> vector(data.wide, pipe, y, addend);
      conv::RunByTurns<DTYPE_X, DTYPE_X>(pipe, cube, vector, finish, data.wide, workspace);
    }
  } else if (TILING_KEY_IS(0)) {  // kConvOnBoth
    if ASCEND_IS_AIC {
      OneLayer<DTYPE_X>(pipe, data.narrow, x, narrow_w, narrow_bias, narrow);
      OneLayer<DTYPE_X>(pipe, data.middle, narrow, w, bias, between);
      conv::CubeCore<DTYPE_X> core(data.wide, pipe, between, wide_w, wide_bias);
      conv::FillSlots<DTYPE_X, DTYPE_X>(core, data.wide, workspace);
    }
    if ASCEND_IS_AIV {
      conv::VectorCore<DTYPE_X, DTYPE_X> core(data.wide, pipe, y, addend);
      core.EmptySlots(finish, workspace);
    }
  }
}
