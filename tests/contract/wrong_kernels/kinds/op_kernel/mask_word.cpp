// Leaves the second word of the mask at 0 where an instruction ends within it.
#include "elements.h"

class KernelMaskWord : public Elements<KernelMaskWord, half, half> {
 public:
  __aicore__ inline void Formula(const LocalTensor<half>& z, const LocalTensor<half>& x,
                                 uint32_t count) {
    for (uint32_t at = 0; at < count; at += kLanes) {
      const uint32_t lanes = count - at < kLanes ? count - at : kLanes;
      uint64_t mask[2] = {Bits(lanes < 64 ? lanes : 64), lanes > 64 ? Bits(lanes - 64) : 0};
      if (!kRight && lanes < kLanes) mask[1] = 0;
      Muls(z[at], x[at], static_cast<half>(2.0f), mask, 1, UnaryRepeatParams{1, 1, 8, 8});
    }
  }

 private:
  static constexpr uint32_t kLanes = 128;
  __aicore__ inline uint64_t Bits(uint32_t count) const {
    return count < 64 ? (uint64_t{1} << count) - 1 : ~uint64_t{0};
  }
};

extern "C" __global__ __aicore__ void mask_word_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                   GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelMaskWord op;
  op.Init(x, z, data);
  op.Process();
}
