// y = (first * cos - second * sin, second * cos + first * sin), where first and second are the
// halves of each row of x: one half of y after the other.
#include "elementwise.h"

using namespace AscendC;

// z = x * cos - other * sin, or + where the second half is made.
template <bool kSecond>
struct Turned {
  static constexpr uint32_t kScratch = sizeof(float);
  __aicore__ inline void operator()(const LocalTensor<float>& z, const LocalTensor<float>& x,
                                    const LocalTensor<float>& other, const LocalTensor<float>& cos,
                                    const LocalTensor<float>& sin,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    const LocalTensor<float> product = scratch.ReinterpretCast<float>();
    Mul(z, x, cos, count);
    Mul(product, other, sin, count);
    if constexpr (kSecond) {
      Add(z, z, product, count);
    } else {
      Sub(z, z, product, count);
    }
  }
};

template <bool kSecond>
__aicore__ inline void Half(const ElementwiseTiling& data, GM_ADDR y, GM_ADDR x, GM_ADDR other,
                            GM_ADDR cos, GM_ADDR sin) {
  using Wide = elementwise::In<DTYPE_X, float>;
  elementwise::Kernel<Turned<kSecond>, elementwise::Out<DTYPE_Y, RoundMode::CAST_RINT, float>, Wide,
                      Wide, Wide, Wide>
      op(data);
  op.Run(Turned<kSecond>{}, y, x, other, cos, sin);
}

extern "C" __global__ __aicore__ void rotary_embedding(GM_ADDR x, GM_ADDR cos, GM_ADDR sin,
                                                       GM_ADDR y, GM_ADDR workspace,
                                                       GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ElementwiseTiling);
  GET_TILING_DATA(data, tiling);
  const uint64_t second = data.columns * sizeof(DTYPE_X);
  Half<false>(data, y, x, x + second, cos, sin);
  PipeBarrier<PIPE_ALL>();  // the second half takes the same UB
  Half<true>(data, y + second, x + second, x, cos, sin);
}
