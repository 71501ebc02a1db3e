// The kernel of an op whose elements come from those of one input and from numbers, its attributes:
//
//   NUMBERS_OP(leaky_relu) { LeakyRelu(y, x, number[0], count); }
//
// The entry's name, then the formula, in float: it writes `count` elements of y and may write to x.
#ifndef ELEMENTWISE_NUMBERS_NUMBERS_H_
#define ELEMENTWISE_NUMBERS_NUMBERS_H_

#include "elementwise.h"
#include "numbers_tiling.h"

using namespace AscendC;

#define NUMBERS_OP(entry)                                                                       \
  struct Formula {                                                                              \
    const float* number;                                                                        \
    __aicore__ inline void operator()(const LocalTensor<float>& y, const LocalTensor<float>& x, \
                                      uint32_t count) const;                                    \
  };                                                                                            \
  NUMBERS_ENTRY(entry, Formula)                                                                 \
  __aicore__ inline void Formula::operator()(const LocalTensor<float>& y,                       \
                                             const LocalTensor<float>& x, uint32_t count) const

// The entry alone, for a formula that needs memory of its own.
#define NUMBERS_ENTRY(entry, Formula)                                                    \
  extern "C" __global__ __aicore__ void entry(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,   \
                                              GM_ADDR tiling) {                          \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                                      \
    REGISTER_TILING_DEFAULT(NumbersTilingData);                                          \
    GET_TILING_DATA(data, tiling);                                                       \
    elementwise::Kernel<Formula, elementwise::Out<DTYPE_Y, RoundMode::CAST_RINT, float>, \
                        elementwise::In<DTYPE_X, float>>                                 \
        op(data.view);                                                                   \
    op.Run({data.number}, y, x);                                                         \
  }

#endif  // ELEMENTWISE_NUMBERS_NUMBERS_H_
