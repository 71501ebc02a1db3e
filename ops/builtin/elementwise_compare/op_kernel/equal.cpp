// z = x == y, element by element.
#include "compare.h"

// Integers are equal where their difference is 0, which no other one becomes as a float.
struct EqualIntegers {
  static constexpr uint32_t kScratch = 1;  // a bit is enough
  __aicore__ inline void operator()(const LocalTensor<half>& z, const LocalTensor<int32_t>& x,
                                    const LocalTensor<int32_t>& y, const LocalTensor<uint8_t>& bits,
                                    uint32_t count) const {
    const LocalTensor<float> apart = y.ReinterpretCast<float>();
    Sub(x, x, y, count);
    Cast(apart, x, RoundMode::CAST_RINT, count);
    Duplicate(z, static_cast<half>(1), count);
    CompareScalar(bits, apart, 0.0f, CMPMODE::EQ, elementwise::WholeRepeats<float>(count));
    Select(z, bits, z, static_cast<half>(0), SELMODE::VSEL_TENSOR_SCALAR_MODE, count);
  }
};

using Chosen = Std::conditional<IsSameType<DTYPE_X, int32_t>::value, EqualIntegers,
                                Comparison<CMPMODE::EQ>>::type;
using ComparedIn = Std::conditional<IsSameType<DTYPE_X, int32_t>::value, int32_t, float>::type;

extern "C" __global__ __aicore__ void equal_op(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace,
                                               GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ElementwiseTiling);
  GET_TILING_DATA(data, tiling);
  elementwise::Kernel<Chosen, elementwise::Out<DTYPE_Z>, elementwise::In<DTYPE_X, ComparedIn>,
                      elementwise::In<DTYPE_Y, ComparedIn>>
      op(data);
  op.Run(Chosen{}, z, x, y);
}
