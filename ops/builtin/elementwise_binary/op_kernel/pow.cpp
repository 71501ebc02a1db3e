// z = x to the power of y, element by element.
#include "binary.h"
#include "power.h"

struct Call {
  __aicore__ inline void operator()(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                    const LocalTensor<float>& y, uint32_t count) const {
    Power(z, x, y, count);
  }
};

struct Hand {
  static constexpr uint32_t kScratch = power::ByHand::kParts * sizeof(float);

  __aicore__ inline void operator()(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                    const LocalTensor<float>& y,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    power::ByHand(scratch, count)(z, x, y);
  }
};

extern "C" __global__ __aicore__ void pow_op(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace,
                                             GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ElementwiseTiling);
  GET_TILING_DATA(data, tiling);
  if (TILING_KEY_IS(0)) {
    RunBinary<Call, DTYPE_X, DTYPE_Y, DTYPE_Z, float>(data, x, y, z);
  } else if (TILING_KEY_IS(1)) { /* computes by hand */
    RunBinary<Hand, DTYPE_X, DTYPE_Y, DTYPE_Z, float>(data, x, y, z);
  }
}
