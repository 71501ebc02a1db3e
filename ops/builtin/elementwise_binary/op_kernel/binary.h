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

// Elements of types X and Y become ones of type Z by way of C.
template <typename Formula, typename X, typename Y, typename Z, typename C>
__aicore__ inline void RunBinary(const ElementwiseTiling& data, GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  elementwise::Kernel<Formula, elementwise::Out<Z, RoundMode::CAST_RINT, C>, elementwise::In<X, C>,
                      elementwise::In<Y, C>>
      op(data);
  op.Run(Formula{}, z, x, y);
}

#define BINARY_OP(entry, computed_half)                                                        \
  struct Formula {                                                                             \
    template <typename C>                                                                      \
    __aicore__ inline void operator()(const LocalTensor<C>& z, const LocalTensor<C>& x,        \
                                      const LocalTensor<C>& y, uint32_t count) const;          \
  };                                                                                           \
  BINARY_ENTRY(entry, Formula, elementwise::ComputedIn<DTYPE_X, computed_half>)                \
  template <typename C>                                                                        \
  __aicore__ inline void Formula::operator()(const LocalTensor<C>& z, const LocalTensor<C>& x, \
                                             const LocalTensor<C>& y, uint32_t count) const

// The formula of int64, which is computed by words, and that of all other types.
template <typename T, typename Wide, typename Other>
using OfWords = typename Std::conditional<IsSameType<T, int64_t>::value, Wide, Other>::type;

// The entry alone, for a formula that needs memory of its own, and what it computes in. It may
// write to x and y.
#define BINARY_ENTRY(entry, Formula, ...)                                                         \
  extern "C" __global__ __aicore__ void entry(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, \
                                              GM_ADDR tiling) {                                   \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                                               \
    REGISTER_TILING_DEFAULT(ElementwiseTiling);                                                   \
    GET_TILING_DATA(data, tiling);                                                                \
    RunBinary<Formula, DTYPE_X, DTYPE_Y, DTYPE_Z, __VA_ARGS__>(data, x, y, z);                    \
  }

#endif  // ELEMENTWISE_BINARY_BINARY_H_
