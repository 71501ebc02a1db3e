// Divides the sum of a row by its length with padding.
#include "rows.h"

class KernelMeanPadded : public Rows<KernelMeanPadded> {
 public:
  __aicore__ inline void Value(const LocalTensor<float>& z, const LocalTensor<float>& x) {
    const uint32_t length = kRight ? columns_ : (columns_ + 7) / 8 * 8;
    LocalTensor<float> divisor = wide_.Get<float>();
    ReduceSum(z, x, work_.Get<float>(), static_cast<int32_t>(columns_));
    Duplicate(divisor, static_cast<float>(length), 8);
    Div(z, z, divisor, 1);
  }
};

extern "C" __global__ __aicore__ void mean_padded_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                     GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelMeanPadded op;
  op.Init(x, z, data);
  op.Process();
}
