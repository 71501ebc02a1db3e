// The kernel of an element-wise comparison:
//
//   COMPARE_OP(less_op, LT, whole::Order<false, false>)
//
// The entry's name, the mode of Compare, and the order of integers. Floats of all types are
// compared in float, which holds them.
#ifndef ELEMENTWISE_COMPARE_COMPARE_H_
#define ELEMENTWISE_COMPARE_COMPARE_H_

#include "elementwise.h"
#include "whole_order.h"

using namespace AscendC;

template <CMPMODE kMode>
struct Comparison {
  static constexpr uint32_t kScratch = 1;  // a bit is enough
  __aicore__ inline void operator()(const LocalTensor<half>& z, const LocalTensor<float>& x,
                                    const LocalTensor<float>& y, const LocalTensor<uint8_t>& bits,
                                    uint32_t count) const {
    Duplicate(z, static_cast<half>(1), count);
    Compare(bits, x, y, kMode, elementwise::WholeRepeats<float>(count));
    Select(z, bits, z, static_cast<half>(0), SELMODE::VSEL_TENSOR_SCALAR_MODE, count);
  }
};

#define COMPARE_OP(entry, mode, ...)                                                              \
  extern "C" __global__ __aicore__ void entry(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, \
                                              GM_ADDR tiling) {                                   \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                                               \
    REGISTER_TILING_DEFAULT(ElementwiseTiling);                                                   \
    GET_TILING_DATA(data, tiling);                                                                \
    using Formula =                                                                               \
        typename Std::conditional<whole::kIs<DTYPE_X>, whole::Of<DTYPE_X, __VA_ARGS__>,           \
                                  Comparison<CMPMODE::mode>>::type;                               \
    using C = typename Std::conditional<whole::kIs<DTYPE_X>, DTYPE_X, float>::type;               \
    elementwise::Kernel<Formula, elementwise::Out<DTYPE_Z>, elementwise::In<DTYPE_X, C>,          \
                        elementwise::In<DTYPE_Y, C>>                                              \
        op(data);                                                                                 \
    op.Run(Formula{}, z, x, y);                                                                   \
  }

#endif  // ELEMENTWISE_COMPARE_COMPARE_H_
