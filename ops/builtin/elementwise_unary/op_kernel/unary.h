// The kernel of an op whose elements come from those of one input, each from the one at its place:
//
//   UNARY_OP(exp_op, float) { Exp(y, x, count); }
//
// The entry's name, and what float16 is computed in (float or half; bfloat16 always in float), then
// the formula: it writes `count` elements of y and may write to x.
#ifndef ELEMENTWISE_UNARY_UNARY_H_
#define ELEMENTWISE_UNARY_UNARY_H_

#include "elementwise.h"

using namespace AscendC;

// Elements of type X become ones of type Y by way of C.
template <typename Formula, typename X, typename Y, typename C>
__aicore__ inline void RunUnary(const ElementwiseTiling& data, GM_ADDR x, GM_ADDR y) {
  elementwise::Kernel<Formula, elementwise::Out<Y, RoundMode::CAST_RINT, C>, elementwise::In<X, C>>
      op(data);
  op.Run(Formula{}, y, x);
}

#define UNARY_OP(entry, computed_half)                                                         \
  struct Formula {                                                                             \
    template <typename C>                                                                      \
    __aicore__ inline void operator()(const LocalTensor<C>& y, const LocalTensor<C>& x,        \
                                      uint32_t count) const;                                   \
  };                                                                                           \
  UNARY_ENTRY(entry, Formula, elementwise::ComputedIn<DTYPE_X, computed_half>)                 \
  template <typename C>                                                                        \
  __aicore__ inline void Formula::operator()(const LocalTensor<C>& y, const LocalTensor<C>& x, \
                                             uint32_t count) const

// The formula of int64, which is computed by words, and that of all other types.
template <typename T, typename Wide, typename Other>
using OfWords = typename Std::conditional<IsSameType<T, int64_t>::value, Wide, Other>::type;

// The entry alone, for a formula that may need memory of its own, and what it computes in.
#define UNARY_ENTRY(entry, Formula, ...)                                               \
  extern "C" __global__ __aicore__ void entry(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, \
                                              GM_ADDR tiling) {                        \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                                    \
    REGISTER_TILING_DEFAULT(ElementwiseTiling);                                        \
    GET_TILING_DATA(data, tiling);                                                     \
    RunUnary<Formula, DTYPE_X, DTYPE_Y, __VA_ARGS__>(data, x, y);                      \
  }

#endif  // ELEMENTWISE_UNARY_UNARY_H_
