// z = x where the condition is true, else y, element by element.
#include "elementwise.h"

using namespace AscendC;

struct Choice {
  static constexpr uint32_t kScratch = 1;  // a bit is enough
  template <typename C>
  __aicore__ inline void operator()(const LocalTensor<C>& z, const LocalTensor<half>& condition,
                                    const LocalTensor<C>& x, const LocalTensor<C>& y,
                                    const LocalTensor<uint8_t>& bits, uint32_t count) const {
    CompareScalar(bits, condition, static_cast<half>(0), CMPMODE::NE,
                  elementwise::WholeRepeats<half>(count));
    if constexpr (IsSameType<C, int32_t>::value) {  // bits move
      Pick(z.template ReinterpretCast<float>(), x.template ReinterpretCast<float>(),
           y.template ReinterpretCast<float>(), bits, count);
    } else {
      Pick(z, x, y, bits, count);
    }
  }

 private:
  template <typename C>
  __aicore__ static inline void Pick(const LocalTensor<C>& z, const LocalTensor<C>& x,
                                     const LocalTensor<C>& y, const LocalTensor<uint8_t>& bits,
                                     uint32_t count) {
    Select(z, bits, x, y, SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
  }
};

extern "C" __global__ __aicore__ void where(GM_ADDR condition, GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                            GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ElementwiseTiling);
  GET_TILING_DATA(data, tiling);
  elementwise::Kernel<Choice, elementwise::Out<DTYPE_Z>, elementwise::In<DTYPE_CONDITION>,
                      elementwise::In<DTYPE_X>, elementwise::In<DTYPE_Y>>
      op(data);
  op.Run(Choice{}, z, condition, x, y);
}
