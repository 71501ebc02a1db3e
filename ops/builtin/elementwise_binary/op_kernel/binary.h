// The kernel of an op whose elements come from those of two inputs, which broadcast:
//
//   BINARY_OP(sub_op, half) { Sub(z, x, y, count); }
//
// The entry's name, and what float16 is computed in (float or half; bfloat16 always in float), then
// the formula: it writes `count` elements of z.
#ifndef ELEMENTWISE_BINARY_BINARY_H_
#define ELEMENTWISE_BINARY_BINARY_H_

#include "elementwise.h"

using namespace AscendC;

#define BINARY_OP(entry, computed_half)                                                           \
  struct Formula {                                                                                \
    template <typename C>                                                                         \
    __aicore__ inline void operator()(const LocalTensor<C>& z, const LocalTensor<C>& x,           \
                                      const LocalTensor<C>& y, uint32_t count) const;             \
  };                                                                                              \
  extern "C" __global__ __aicore__ void entry(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, \
                                              GM_ADDR tiling) {                                   \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                                               \
    REGISTER_TILING_DEFAULT(ElementwiseTiling);                                                   \
    GET_TILING_DATA(data, tiling);                                                                \
    using C = elementwise::ComputedIn<DTYPE_X, computed_half>;                                    \
    elementwise::Kernel<Formula, elementwise::Out<DTYPE_Z, RoundMode::CAST_RINT, C>,              \
                        elementwise::In<DTYPE_X, C>, elementwise::In<DTYPE_Y, C>>                 \
        op(data);                                                                                 \
    op.Run(Formula{}, z, x, y);                                                                   \
  }                                                                                               \
  template <typename C>                                                                           \
  __aicore__ inline void Formula::operator()(const LocalTensor<C>& z, const LocalTensor<C>& x,    \
                                             const LocalTensor<C>& y, uint32_t count) const

#endif  // ELEMENTWISE_BINARY_BINARY_H_
