// The kernel of a convolution that is normalised, and what follows:
//
//   CONV_BN_OP(conv_bn_relu, 0) { Relu(y, y, count); }
//
// The entry's name, and how many blocks of floats the formula needs beside y (0, or 1: work; the
// host is told the same number); the formula changes `count` elements of y.
#ifndef CONV_BN_CONV_BN_H_
#define CONV_BN_CONV_BN_H_

#include "conv_batch_norm.h"
#include "conv_turned_by_turns.h"

using namespace AscendC;

#define CONV_BN_OP(entry, scratch)                                                                 \
  struct After {                                                                                   \
    static constexpr uint32_t kScratch = scratch;                                                  \
    __aicore__ inline void operator()(const LocalTensor<float>& y, const LocalTensor<float>& work, \
                                      uint32_t count) const;                                       \
  };                                                                                               \
  extern "C" __global__ __aicore__ void entry(GM_ADDR x, GM_ADDR w, GM_ADDR scale, GM_ADDR bias,   \
                                              GM_ADDR mean, GM_ADDR variance, GM_ADDR y,           \
                                              GM_ADDR workspace, GM_ADDR tiling) {                 \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);                                             \
    REGISTER_TILING_DEFAULT(ConvBatchNormTiling);                                                  \
    GET_TILING_DATA(data, tiling);                                                                 \
    TPipe pipe;                                                                                    \
    using Finish = conv_dense::BatchNormFinish<After>;                                             \
    if (TILING_KEY_IS(4)) { /* kConvTurned */                                                      \
      const auto make = [&] { return Finish(pipe, data); };                                        \
      conv_dense::RunTurned<DTYPE_X>(make, data.conv, pipe, x, w, y, workspace, scale, bias, mean, \
                                     variance);                                                    \
    } else if (TILING_KEY_IS(5)) { /* kConvTurnedByTurns */                                        \
      const auto make = [&] { return Finish(pipe, data); };                                        \
      conv_dense::RunTurnedByTurns<DTYPE_X>(make, data.conv, pipe, x, w, y, workspace, scale,      \
                                            bias, mean, variance);                                 \
    } else if (TILING_KEY_IS(1) || TILING_KEY_IS(2)) { /* kConvPlain, kConvWindows */              \
      conv_dense::Kernel<Finish, DTYPE_X> op;                                                      \
      REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &data.conv.cube);                      \
      op.Run(Finish(pipe, data), data.conv, pipe, x, w, y, workspace, scale, bias, mean,           \
             variance);                                                                            \
    }                                                                                              \
  }                                                                                                \
  __aicore__ inline void After::operator()(const LocalTensor<float>& y,                            \
                                           const LocalTensor<float>& work, uint32_t count) const

#endif  // CONV_BN_CONV_BN_H_
