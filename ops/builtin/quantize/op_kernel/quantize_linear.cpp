// y = saturate(round(x / y_scale) + y_zero_point), halves to the even one.
#include "elementwise.h"

using namespace AscendC;

// The highest and lowest value of the integers.
template <typename T>
struct Ends;
template <>
struct Ends<int8_t> {
  static constexpr float kLowest = -128.0f, kHighest = 127.0f;
};
template <>
struct Ends<uint8_t> {
  static constexpr float kLowest = 0.0f, kHighest = 255.0f;
};

struct Quantize {
  static constexpr uint32_t kScratch = sizeof(float);
  __aicore__ inline void operator()(const LocalTensor<half>& y, const LocalTensor<float>& x,
                                    const LocalTensor<float>& scale, const LocalTensor<half>& zero,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    // Beyond this the sum saturates whatever the zero point is; below it, what lies behind the
    // point of x + 3 * 2^22 is rounded away, halves to the even one.
    constexpr float kFar = 1024.0f, kNoFraction = 12582912.0f;
    const LocalTensor<float> shift = scratch.ReinterpretCast<float>();
    Div(x, x, scale, count);
    Mins(x, x, kFar, count);
    Maxs(x, x, -kFar, count);
    Adds(x, x, kNoFraction, count);
    Adds(x, x, -kNoFraction, count);
    Cast(shift, zero, RoundMode::CAST_NONE, count);
    Add(x, x, shift, count);
    Mins(x, x, Ends<DTYPE_Y>::kHighest, count);
    Maxs(x, x, Ends<DTYPE_Y>::kLowest, count);
    Cast(y, x, RoundMode::CAST_RINT, count);  // half holds these integers
  }
};

extern "C" __global__ __aicore__ void quantize_linear(GM_ADDR x, GM_ADDR scale, GM_ADDR zero,
                                                      GM_ADDR y, GM_ADDR workspace,
                                                      GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ElementwiseTiling);
  GET_TILING_DATA(data, tiling);
  elementwise::Kernel<Quantize, elementwise::Out<DTYPE_Y>, elementwise::In<DTYPE_X>,
                      elementwise::In<DTYPE_Y_SCALE>, elementwise::In<DTYPE_Y_ZERO_POINT>>
      op(data);
  op.Run(Quantize{}, y, x, scale, zero);
}
