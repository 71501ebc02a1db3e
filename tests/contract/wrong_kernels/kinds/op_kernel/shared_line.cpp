// Stores its sum as a scalar, in a cache line that it shares with other cores.
#include "rows.h"

class KernelSharedLine : public Rows<KernelSharedLine> {
 public:
  __aicore__ inline void Value(const LocalTensor<float>& z, const LocalTensor<float>& x) {
    ReduceMax(z, x, work_.Get<float>(), static_cast<int32_t>(columns_));
  }

  __aicore__ inline void CopyOut(uint64_t row, const LocalTensor<float>& z) {
    if constexpr (kRight) {
      Store(z_[row], z, 1);
    } else {
      Order<HardEvent::V_S>(EVENT_ID7);
      z_.SetValue(row, z.GetValue(0));
      DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(
          z_[row]);
    }
  }
};

extern "C" __global__ __aicore__ void shared_line_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                     GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelSharedLine op;
  op.Init(x, z, data);
  op.Process();
}
