// z = x where the condition is true, else y, element by element.
#include "elementwise.h"
#include "wide_words.h"

using namespace AscendC;

struct Choice {
  static constexpr uint32_t kScratch = 1;  // a bit is enough
  template <typename C>
  __aicore__ inline void operator()(const LocalTensor<C>& z, const LocalTensor<half>& condition,
                                    const LocalTensor<C>& x, const LocalTensor<C>& y,
                                    const LocalTensor<uint8_t>& bits, uint32_t count) const {
    CompareScalar(bits, condition, static_cast<half>(0), CMPMODE::NE,
                  elementwise::WholeRepeats<half>(count));
    if constexpr (IsSameType<C, int32_t>::value) {  // bits move
      Pick(z.template ReinterpretCast<float>(), x.template ReinterpretCast<float>(),
           y.template ReinterpretCast<float>(), bits, count);
    } else {
      Pick(z, x, y, bits, count);
    }
  }

 private:
  template <typename C>
  __aicore__ static inline void Pick(const LocalTensor<C>& z, const LocalTensor<C>& x,
                                     const LocalTensor<C>& y, const LocalTensor<uint8_t>& bits,
                                     uint32_t count) {
    Select(z, bits, x, y, SELMODE::VSEL_TENSOR_TENSOR_MODE, count);
  }
};

// By masks of bits: -1 as int64 is ones in both words. x and y are overwritten.
struct WideChoice {
  static constexpr uint32_t kScratch = sizeof(int32_t);

  __aicore__ inline void operator()(const wide::Wide& z, const LocalTensor<half>& condition,
                                    const wide::Wide& x, const wide::Wide& y,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    const wide::Words words = scratch.ReinterpretCast<int32_t>();
    const uint32_t halves = wide::kHalvesOf * count;
    const LocalTensor<uint16_t> mask = wide::HalvesOf(z), a = wide::HalvesOf(x),
                                b = wide::HalvesOf(y);
    Cast(words, condition, RoundMode::CAST_RINT, count);
    Muls(words, words, -1, count);
    Cast(z, words, RoundMode::CAST_NONE, count);
    And(a, a, mask, halves);
    Not(mask, mask, halves);
    And(b, b, mask, halves);
    Or(mask, a, b, halves);
  }
};

using Formula =
    typename Std::conditional<IsSameType<DTYPE_X, int64_t>::value, WideChoice, Choice>::type;

extern "C" __global__ __aicore__ void where(GM_ADDR condition, GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                            GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ElementwiseTiling);
  GET_TILING_DATA(data, tiling);
  elementwise::Kernel<Formula, elementwise::Out<DTYPE_Z>, elementwise::In<DTYPE_CONDITION>,
                      elementwise::In<DTYPE_X>, elementwise::In<DTYPE_Y>>
      op(data);
  op.Run(Formula{}, z, condition, x, y);
}
