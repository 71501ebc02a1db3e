// The kernel of an op that changes the element type: x as float32, then rounded to y's type.
#ifndef CAST_CAST_H_
#define CAST_CAST_H_

#include "elementwise.h"

using namespace AscendC;

struct Keep {
  // A product with 1 keeps every value, -0 and NaN too.
  __aicore__ inline void operator()(const LocalTensor<float>& y, const LocalTensor<float>& x,
                                    uint32_t count) const {
    Muls(y, x, 1.0f, count);
  }
};

#define CAST_OP(entry)                                                                 \
  extern "C" __global__ __aicore__ void entry(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, \
                                              GM_ADDR tiling) {                        \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                                    \
    REGISTER_TILING_DEFAULT(ElementwiseTiling);                                        \
    GET_TILING_DATA(data, tiling);                                                     \
    elementwise::Kernel<Keep, elementwise::Out<DTYPE_Y, RoundMode::CAST_RINT, float>,  \
                        elementwise::In<DTYPE_X, float>>                               \
        op(data);                                                                      \
    op.Run(Keep{}, y, x);                                                              \
  }

#endif  // CAST_CAST_H_
