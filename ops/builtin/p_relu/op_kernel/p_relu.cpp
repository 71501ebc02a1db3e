// y = x, or weight * x where x is negative, element by element.
#include "elementwise.h"

using namespace AscendC;

struct Bend {
  static constexpr uint32_t kScratch = 1;  // a bit is enough
  template <typename C>
  __aicore__ inline void operator()(const LocalTensor<C>& y, const LocalTensor<C>& x,
                                    const LocalTensor<C>& weight, const LocalTensor<uint8_t>& bits,
                                    uint32_t count) const {
    CompareScalar(bits, x, static_cast<C>(0), CMPMODE::LT, elementwise::WholeRepeats<C>(count));
    Mul(y, x, weight, count);
    Select(y, bits, y, x, SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
  }
};

extern "C" __global__ __aicore__ void p_relu(GM_ADDR x, GM_ADDR weight, GM_ADDR y,
                                             GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ElementwiseTiling);
  GET_TILING_DATA(data, tiling);
  elementwise::Kernel<Bend, elementwise::Out<DTYPE_Y>, elementwise::In<DTYPE_X>,
                      elementwise::In<DTYPE_WEIGHT>>
      op(data);
  op.Run(Bend{}, y, x, weight);
}
