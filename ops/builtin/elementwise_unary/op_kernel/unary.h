// The kernel of an op whose elements come from those of one input, each from the one at its place:
//
//   UNARY_OP(exp_op, float) { Exp(y, x, count); }
//
// The entry's name, and what float16 is computed in (float or half; bfloat16 always in float), then
// the formula: it writes `count` elements of y and may write to x.
//
// An op whose formula is one call that not every chip has brings another one, with memory of its
// own; the host chooses it by tiling key 1 and says the same number of bytes:
//
//   UNARY_OP_BY_HAND(erf_op, 2 * sizeof(float))
//   BY_CALL { Erf(y, x, count); }
//   BY_HAND { ... scratch ... }
//
// Both compute in float.
#ifndef ELEMENTWISE_UNARY_UNARY_H_
#define ELEMENTWISE_UNARY_UNARY_H_

#include "elementwise.h"

using namespace AscendC;

#define UNARY_OP(entry, computed_half)                                                         \
  struct Formula {                                                                             \
    template <typename C>                                                                      \
    __aicore__ inline void operator()(const LocalTensor<C>& y, const LocalTensor<C>& x,        \
                                      uint32_t count) const;                                   \
  };                                                                                           \
  extern "C" __global__ __aicore__ void entry(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,         \
                                              GM_ADDR tiling) {                                \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                                            \
    REGISTER_TILING_DEFAULT(ElementwiseTiling);                                                \
    GET_TILING_DATA(data, tiling);                                                             \
    using C = elementwise::ComputedIn<DTYPE_X, computed_half>;                                 \
    elementwise::Kernel<Formula, elementwise::Out<DTYPE_Y, RoundMode::CAST_RINT, C>,           \
                        elementwise::In<DTYPE_X, C>>                                           \
        op(data);                                                                              \
    op.Run(Formula{}, y, x);                                                                   \
  }                                                                                            \
  template <typename C>                                                                        \
  __aicore__ inline void Formula::operator()(const LocalTensor<C>& y, const LocalTensor<C>& x, \
                                             uint32_t count) const

template <typename Formula, typename T>
__aicore__ inline void RunUnary(const ElementwiseTiling& data, GM_ADDR x, GM_ADDR y) {
  elementwise::Kernel<Formula, elementwise::Out<T, RoundMode::CAST_RINT, float>,
                      elementwise::In<T, float>>
      op(data);
  op.Run(Formula{}, y, x);
}

#define UNARY_OP_BY_HAND(entry, scratch_bytes)                                                    \
  struct Call {                                                                                   \
    __aicore__ inline void operator()(const LocalTensor<float>& y, const LocalTensor<float>& x,   \
                                      uint32_t count) const;                                      \
  };                                                                                              \
  struct Hand {                                                                                   \
    static constexpr uint32_t kScratch = scratch_bytes;                                           \
    __aicore__ inline void operator()(const LocalTensor<float>& y, const LocalTensor<float>& x,   \
                                      const LocalTensor<uint8_t>& scratch, uint32_t count) const; \
    __aicore__ inline void operator()(const LocalTensor<float>& y, const LocalTensor<float>& x,   \
                                      uint32_t count) const {                                     \
      (*this)(y, x, LocalTensor<uint8_t>(), count);                                               \
    }                                                                                             \
  };                                                                                              \
  extern "C" __global__ __aicore__ void entry(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,            \
                                              GM_ADDR tiling) {                                   \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                                               \
    REGISTER_TILING_DEFAULT(ElementwiseTiling);                                                   \
    GET_TILING_DATA(data, tiling);                                                                \
    if (TILING_KEY_IS(0)) {                                                                       \
      RunUnary<Call, DTYPE_X>(data, x, y);                                                        \
    } else if (TILING_KEY_IS(1)) { /* by hand */                                                  \
      RunUnary<Hand, DTYPE_X>(data, x, y);                                                        \
    }                                                                                             \
  }
#define BY_CALL                                                        \
  __aicore__ inline void Call::operator()(const LocalTensor<float>& y, \
                                          const LocalTensor<float>& x, uint32_t count) const
#define BY_HAND                                                 \
  __aicore__ inline void Hand::operator()(                      \
      const LocalTensor<float>& y, const LocalTensor<float>& x, \
      const LocalTensor<uint8_t>& scratch, uint32_t count) const

#endif  // ELEMENTWISE_UNARY_UNARY_H_
