// Adds up whole repeats of a row: the lanes behind the row hold what lay there before.
#include "rows.h"

class KernelStaleUb : public Rows<KernelStaleUb> {
 public:
  __aicore__ inline void Value(const LocalTensor<float>& z, const LocalTensor<float>& x) {
    const uint32_t count = kRight ? columns_ : tile_;
    ReduceSum(z, x, work_.Get<float>(), static_cast<int32_t>(count));
  }
};

extern "C" __global__ __aicore__ void stale_ub_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                  GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelStaleUb op;
  op.Init(x, z, data);
  op.Process();
}
