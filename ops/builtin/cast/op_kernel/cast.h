// The kernel of an op that changes the element type. Floats are widened to float32 and rounded to
// y's type; 8-bit integers pass through half, as page "Cast" converts them to nothing else.
#ifndef CAST_CAST_H_
#define CAST_CAST_H_

#include "elementwise.h"

using namespace AscendC;

// Floats to floats.
struct Keep {
  // A product with 1 keeps every value, -0 and NaN too.
  __aicore__ inline void operator()(const LocalTensor<float>& y, const LocalTensor<float>& x,
                                    uint32_t count) const {
    Muls(y, x, 1.0f, count);
  }
};

// y = the low 32 bits of x.
__aicore__ inline void LowWords(const LocalTensor<int32_t>& y, const LocalTensor<int64_t>& x,
                                uint32_t count) {
  constexpr uint8_t kEvenElements = 1;
  uint64_t kept = 0;
  GatherMask(y.ReinterpretCast<uint32_t>(), x.ReinterpretCast<uint32_t>(), kEvenElements, true,
             2 * count, GatherMaskParams(1, 1, 8, 0), kept);
}

// Integers to any type, and floats to integers, as numbers of Y. Conversions may overwrite x.
template <typename Y>
struct Convert {
  static constexpr uint32_t kScratch = sizeof(int32_t);

  template <typename C, typename X>
  __aicore__ inline void operator()(const LocalTensor<C>& y, const LocalTensor<X>& x,
                                    const LocalTensor<uint8_t>& scratch, uint32_t count) const {
    if constexpr (IsSameType<Y, bool>::value) {
      ToBool(y, x, scratch, count);
    } else {
      To(y, x, scratch.ReinterpretCast<int32_t>(), count);
    }
  }

 private:
  // Half and float are whole or lose what lies behind the point.
  template <typename X>
  __aicore__ static inline void To(const LocalTensor<float>& y, const LocalTensor<X>& x,
                                   const LocalTensor<int32_t>&, uint32_t count) {
    constexpr bool kExact = IsSameType<X, half>::value;
    Cast(y, x, kExact ? RoundMode::CAST_NONE : RoundMode::CAST_RINT, count);
  }

  template <typename X>
  __aicore__ static inline void To(const LocalTensor<int32_t>& y, const LocalTensor<X>& x,
                                   const LocalTensor<int32_t>&, uint32_t count) {
    if constexpr (IsSameType<X, int64_t>::value) {
      LowWords(y, x, count);
    } else {
      Cast(y, x, RoundMode::CAST_TRUNC, count);
    }
  }

  template <typename X>
  __aicore__ static inline void To(const LocalTensor<int64_t>& y, const LocalTensor<X>& x,
                                   const LocalTensor<int32_t>& words, uint32_t count) {
    if constexpr (IsSameType<X, half>::value) {
      To(words, x, words, count);
      Cast(y, words, RoundMode::CAST_NONE, count);
    } else {
      constexpr bool kExact = IsSameType<X, int32_t>::value;
      Cast(y, x, kExact ? RoundMode::CAST_NONE : RoundMode::CAST_TRUNC, count);
    }
  }

  // 8 bits, in half for the last conversion.
  template <typename X>
  __aicore__ static inline void To(const LocalTensor<half>& y, const LocalTensor<X>& x,
                                   const LocalTensor<int32_t>& words, uint32_t count) {
    if constexpr (IsSameType<X, int32_t>::value) {
      LowByte(y, x, count);
    } else {
      To(words, x, words, count);
      LowByte(y, words, count);
    }
  }

  // The byte of each word, shifted up and back with or without its sign.
  __aicore__ static inline void LowByte(const LocalTensor<half>& y,
                                        const LocalTensor<int32_t>& words, uint32_t count) {
    using Word = typename Std::conditional<IsSameType<Y, int8_t>::value, int32_t, uint32_t>::type;
    constexpr uint32_t kShift = 24;
    const LocalTensor<uint32_t> all = words.ReinterpretCast<uint32_t>();
    const LocalTensor<Word> bits = words.ReinterpretCast<Word>();
    const LocalTensor<float> numbers = words.ReinterpretCast<float>();
    ShiftLeft(all, all, kShift, count);  // would keep the sign of signed words
    ShiftRight(bits, bits, static_cast<Word>(kShift), count);
    Cast(numbers, words, RoundMode::CAST_RINT, count);
    Cast(y, numbers, RoundMode::CAST_RINT, count);
  }

  template <typename X>
  __aicore__ static inline void ToBool(const LocalTensor<half>& y, const LocalTensor<X>& x,
                                       const LocalTensor<uint8_t>& scratch, uint32_t count) {
    if constexpr (IsSameType<X, half>::value || IsSameType<X, float>::value) {
      NotZero(y, x, scratch, count);
    } else {
      const LocalTensor<float> numbers = scratch.ReinterpretCast<float>();
      Cast(numbers, x, RoundMode::CAST_RINT, count);
      NotZero(y, numbers, x.template ReinterpretCast<uint8_t>(), count);
    }
  }

  template <typename X>
  __aicore__ static inline void NotZero(const LocalTensor<half>& y, const LocalTensor<X>& x,
                                        const LocalTensor<uint8_t>& bits, uint32_t count) {
    Duplicate(y, static_cast<half>(1), count);
    CompareScalar(bits, x, static_cast<X>(0), CMPMODE::NE, elementwise::WholeRepeats<X>(count));
    Select(y, bits, y, static_cast<half>(0), SELMODE::VSEL_TENSOR_SCALAR_MODE, count);
  }
};

template <typename T>
constexpr bool kReal =
    IsSameType<T, float>::value || IsSameType<T, half>::value || IsSameType<T, bfloat16_t>::value;

#define CAST_OP(entry)                                                                             \
  extern "C" __global__ __aicore__ void entry(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,             \
                                              GM_ADDR tiling) {                                    \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                                                \
    REGISTER_TILING_DEFAULT(ElementwiseTiling);                                                    \
    GET_TILING_DATA(data, tiling);                                                                 \
    using Formula =                                                                                \
        typename Std::conditional<kReal<DTYPE_X> && kReal<DTYPE_Y>, Keep, Convert<DTYPE_Y>>::type; \
    using X = elementwise::ComputedIn<DTYPE_X, float>;                                             \
    using Y = elementwise::ComputedIn<DTYPE_Y, float>;                                             \
    elementwise::Kernel<Formula, elementwise::Out<DTYPE_Y, RoundMode::CAST_RINT, Y>,               \
                        elementwise::In<DTYPE_X, X>>                                               \
        op(data);                                                                                  \
    op.Run(Formula{}, y, x);                                                                       \
  }

#endif  // CAST_CAST_H_
