// Takes the later one of equal elements in two chunks of a row.
#include "rows.h"

class KernelArgmaxTie : public Rows<KernelArgmaxTie, float, int32_t> {
 public:
  __aicore__ inline void Value(const LocalTensor<int32_t>& z, const LocalTensor<float>& x) {
    LocalTensor<float> best = wide_.Get<float>();
    float most = 0.0f;
    uint32_t place = 0;
    for (uint32_t at = 0; at < columns_; at += kChunk) {
      const uint32_t count = columns_ - at < kChunk ? columns_ - at : kChunk;
      ReduceMax(best, x[at], work_.Get<float>(), static_cast<int32_t>(count), true);
      Order<HardEvent::V_S>(EVENT_ID7);
      const float value = best.GetValue(0);
      if (at == 0 || value > most || (!kRight && value == most)) {
        most = value;
        place = at + best.ReinterpretCast<uint32_t>().GetValue(1);
      }
      Order<HardEvent::S_V>(EVENT_ID7);
    }
    Duplicate(z, static_cast<int32_t>(place), 8);
  }

 private:
  static constexpr uint32_t kChunk = 64;
};

extern "C" __global__ __aicore__ void argmax_tie_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                    GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelArgmaxTie op;
  op.Init(x, z, data);
  op.Process();
}
