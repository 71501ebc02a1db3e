// The kernel of an element-wise comparison:
//
//   COMPARE_OP(less_op, LT)
//
// The entry's name and the mode of Compare. All types are compared in float, which holds them.
#ifndef ELEMENTWISE_COMPARE_COMPARE_H_
#define ELEMENTWISE_COMPARE_COMPARE_H_

#include "elementwise.h"

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

#define COMPARE_OP(entry, mode)                                                                   \
  extern "C" __global__ __aicore__ void entry(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, \
                                              GM_ADDR tiling) {                                   \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                                               \
    REGISTER_TILING_DEFAULT(ElementwiseTiling);                                                   \
    GET_TILING_DATA(data, tiling);                                                                \
    elementwise::Kernel<Comparison<CMPMODE::mode>, elementwise::Out<DTYPE_Z>,                     \
                        elementwise::In<DTYPE_X, float>, elementwise::In<DTYPE_Y, float>>         \
        op(data);                                                                                 \
    op.Run(Comparison<CMPMODE::mode>{}, z, x, y);                                                 \
  }

#endif  // ELEMENTWISE_COMPARE_COMPARE_H_
