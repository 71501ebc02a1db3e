// The kernel of an op of one input whose formula is one call that not every chip has. It brings
// another formula, with memory of its own; the host chooses it by tiling key 1 and says the same
// number of bytes:
//
//   UNARY_OP_BY_HAND(erf_op, 2 * sizeof(float))
//   BY_CALL { Erf(y, x, count); }
//   BY_HAND { ... scratch ... }
//
// Both compute in float, write `count` elements of y, and may write to x.
#ifndef ELEMENTWISE_UNARY_BY_HAND_H_
#define ELEMENTWISE_UNARY_BY_HAND_H_

#include "unary.h"

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
      RunUnary<Call, DTYPE_X, DTYPE_Y, float>(data, x, y);                                        \
    } else if (TILING_KEY_IS(1)) { /* computes by hand */                                         \
      RunUnary<Hand, DTYPE_X, DTYPE_Y, float>(data, x, y);                                        \
    }                                                                                             \
  }
#define BY_CALL                                                        \
  __aicore__ inline void Call::operator()(const LocalTensor<float>& y, \
                                          const LocalTensor<float>& x, uint32_t count) const
#define BY_HAND                                                 \
  __aicore__ inline void Hand::operator()(                      \
      const LocalTensor<float>& y, const LocalTensor<float>& x, \
      const LocalTensor<uint8_t>& scratch, uint32_t count) const

#endif  // ELEMENTWISE_UNARY_BY_HAND_H_
