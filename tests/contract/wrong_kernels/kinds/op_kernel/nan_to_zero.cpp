// Takes the positive elements and puts 0 in place of all others, of NaN, too.
#include "elements.h"

class KernelNanToZero : public Elements<KernelNanToZero> {
 public:
  __aicore__ inline void Formula(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                 uint32_t count) {
    if constexpr (kRight) {
      Relu(z, x, count);
    } else {
      LocalTensor<uint8_t> positive = work_.Get<uint8_t>();
      const uint32_t lanes = (count + 63) / 64 * 64;
      CompareScalar(positive, x, 0.0f, CMPMODE::GT, lanes);
      Select(z, positive, x, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, lanes);
    }
  }
};

extern "C" __global__ __aicore__ void nan_to_zero_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                     GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelNanToZero op;
  op.Init(x, z, data);
  op.Process();
}
