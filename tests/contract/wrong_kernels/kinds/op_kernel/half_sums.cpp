// Adds up a row of halves in half.
#include "rows.h"

class KernelHalfSums : public Rows<KernelHalfSums, half> {
 public:
  __aicore__ inline void Value(const LocalTensor<half>& z, const LocalTensor<half>& x) {
    if constexpr (kRight) {
      LocalTensor<float> wide = wide_.Get<float>();
      Cast(wide, x, RoundMode::CAST_NONE, columns_);
      ReduceSum(wide, wide, work_.Get<float>(), static_cast<int32_t>(columns_));
      Cast(z, wide, RoundMode::CAST_RINT, 1);
    } else {
      ReduceSum(z, x, work_.Get<half>(), static_cast<int32_t>(columns_));
    }
  }
};

extern "C" __global__ __aicore__ void half_sums_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                   GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelHalfSums op;
  op.Init(x, z, data);
  op.Process();
}
