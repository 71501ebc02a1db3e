// Log, Sigmoid, Tanh, Erf, Sin ... Power, Floor ... Fmod, Xor, Exp, Clamp: one instruction of the
// engine each, which needs no temporary buffer. (Pages of those names.)
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_MATH_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_MATH_H_

#include "opkit/include/ascendc/advanced_scratch.h"

namespace AscendC {

#define OPKIT_REALS " exists for half and float only: Cast other types to float first"

#define OPKIT_ADVANCED_UNARY(Name, OP)                                           \
  template <typename T, bool isReuseSource = false>                              \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,   \
                         const LocalTensor<uint8_t>&, const uint32_t calCount) { \
    static_assert(detail::is_real<T>(), #Name OPKIT_REALS);                      \
    detail::unary(OP, dst, src, calCount);                                       \
  }                                                                              \
  template <typename T, bool isReuseSource = false>                              \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,   \
                         const LocalTensor<uint8_t>&) {                          \
    static_assert(detail::is_real<T>(), #Name OPKIT_REALS);                      \
    detail::unary(OP, dst, src, src.GetSize());                                  \
  }                                                                              \
  template <typename T, bool isReuseSource = false>                              \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,   \
                         const uint32_t calCount) {                              \
    static_assert(detail::is_real<T>(), #Name OPKIT_REALS);                      \
    detail::unary(OP, dst, src, calCount);                                       \
  }                                                                              \
  template <typename T, bool isReuseSource = false>                              \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src) { \
    static_assert(detail::is_real<T>(), #Name OPKIT_REALS);                      \
    detail::unary(OP, dst, src, src.GetSize());                                  \
  }

OPKIT_ADVANCED_UNARY(Log, OPK_V_LN)
OPKIT_ADVANCED_UNARY(Log2, OPK_V_LOG2)
OPKIT_ADVANCED_UNARY(Log10, OPK_V_LOG10)
OPKIT_ADVANCED_UNARY(Sigmoid, OPK_V_SIGMOID)
OPKIT_ADVANCED_UNARY(Tanh, OPK_V_TANH)
OPKIT_ADVANCED_UNARY(Erf, OPK_V_ERF)
OPKIT_ADVANCED_UNARY(Erfc, OPK_V_ERFC)
OPKIT_ADVANCED_UNARY(Sin, OPK_V_SIN)
OPKIT_ADVANCED_UNARY(Cos, OPK_V_COS)
OPKIT_ADVANCED_UNARY(Tan, OPK_V_TAN)
OPKIT_ADVANCED_UNARY(Asin, OPK_V_ASIN)
OPKIT_ADVANCED_UNARY(Acos, OPK_V_ACOS)
OPKIT_ADVANCED_UNARY(Atan, OPK_V_ATAN)
OPKIT_ADVANCED_UNARY(Sinh, OPK_V_SINH)
OPKIT_ADVANCED_UNARY(Cosh, OPK_V_COSH)
OPKIT_ADVANCED_UNARY(Asinh, OPK_V_ASINH)
OPKIT_ADVANCED_UNARY(Acosh, OPK_V_ACOSH)
OPKIT_ADVANCED_UNARY(Atanh, OPK_V_ATANH)
OPKIT_ADVANCED_UNARY(Floor, OPK_V_FLOOR)
OPKIT_ADVANCED_UNARY(Ceil, OPK_V_CEIL)
OPKIT_ADVANCED_UNARY(Round, OPK_V_ROUND)
OPKIT_ADVANCED_UNARY(Rint, OPK_V_RINT)
OPKIT_ADVANCED_UNARY(Trunc, OPK_V_TRUNC)
OPKIT_ADVANCED_UNARY(Frac, OPK_V_FRAC)
OPKIT_ADVANCED_UNARY(Sign, OPK_V_SIGN)
OPKIT_ADVANCED_UNARY(Lgamma, OPK_V_LGAMMA)
OPKIT_ADVANCED_UNARY(Digamma, OPK_V_DIGAMMA)
#undef OPKIT_ADVANCED_UNARY

#define OPKIT_ADVANCED_BINARY(Name, OP, accepted, sentence)                         \
  template <typename T, bool isReuseSource = false>                                 \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,     \
                         const LocalTensor<T>& src1, const LocalTensor<uint8_t>&,   \
                         const uint32_t calCount) {                                 \
    static_assert(accepted, #Name sentence);                                        \
    detail::binary(OP, dst, src0, src1, calCount);                                  \
  }                                                                                 \
  template <typename T, bool isReuseSource = false>                                 \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,     \
                         const LocalTensor<T>& src1, const LocalTensor<uint8_t>&) { \
    static_assert(accepted, #Name sentence);                                        \
    detail::binary(OP, dst, src0, src1, src0.GetSize());                            \
  }                                                                                 \
  template <typename T, bool isReuseSource = false>                                 \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,     \
                         const LocalTensor<T>& src1, const uint32_t calCount) {     \
    static_assert(accepted, #Name sentence);                                        \
    detail::binary(OP, dst, src0, src1, calCount);                                  \
  }                                                                                 \
  template <typename T, bool isReuseSource = false>                                 \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,     \
                         const LocalTensor<T>& src1) {                              \
    static_assert(accepted, #Name sentence);                                        \
    detail::binary(OP, dst, src0, src1, src0.GetSize());                            \
  }

OPKIT_ADVANCED_BINARY(Fmod, OPK_V_FMOD, (detail::is_real<T>()), OPKIT_REALS)
OPKIT_ADVANCED_BINARY(Power, OPK_V_POWER, (detail::one_of<T, half, float, int32_t>()),
                      " exists for half, float and int32_t only: Cast other types to float first")
OPKIT_ADVANCED_BINARY(Xor, OPK_V_XOR, (detail::one_of<T, int16_t, uint16_t>()),
                      " exists for int16_t and uint16_t only: use ReinterpretCast<uint16_t>()")
#undef OPKIT_ADVANCED_BINARY

namespace detail {

// One operand is a scalar: it is written into dst first.
template <typename T>
OPKIT_INLINE void power_of_tensor(const LocalTensor<T>& dst, const LocalTensor<T>& base, T exponent,
                                  uint32_t count) {
  static_assert(one_of<T, half, float, int32_t>(),
                "Power exists for half, float and int32_t only: Cast other types to float first");
  if (__builtin_expect(overlap(dst, base, count), 0)) return refuse_overlap("Power");
  Duplicate(dst, exponent, static_cast<int32_t>(count));
  binary(OPK_V_POWER, dst, base, dst, count);
}
template <typename T>
OPKIT_INLINE void power_of_scalar(const LocalTensor<T>& dst, T base, const LocalTensor<T>& exponent,
                                  uint32_t count) {
  static_assert(one_of<T, half, float, int32_t>(),
                "Power exists for half, float and int32_t only: Cast other types to float first");
  if (__builtin_expect(overlap(dst, exponent, count), 0)) return refuse_overlap("Power");
  Duplicate(dst, base, static_cast<int32_t>(count));
  binary(OPK_V_POWER, dst, dst, exponent, count);
}

}  // namespace detail

template <typename T, bool isReuseSource = false>
OPKIT_INLINE void Power(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const T& src1,
                        const LocalTensor<uint8_t>&, uint32_t calCount) {
  const detail::LibraryCall in_library("Power");
  detail::power_of_tensor(dst, src0, src1, calCount);
}
template <typename T, bool isReuseSource = false>
OPKIT_INLINE void Power(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const T& src1,
                        const LocalTensor<uint8_t>&) {
  const detail::LibraryCall in_library("Power");
  detail::power_of_tensor(dst, src0, src1, src0.GetSize());
}
template <typename T, bool isReuseSource = false>
OPKIT_INLINE void Power(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const T& src1,
                        uint32_t calCount) {
  const detail::LibraryCall in_library("Power");
  detail::power_of_tensor(dst, src0, src1, calCount);
}
template <typename T, bool isReuseSource = false>
OPKIT_INLINE void Power(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const T& src1) {
  const detail::LibraryCall in_library("Power");
  detail::power_of_tensor(dst, src0, src1, src0.GetSize());
}
template <typename T, bool isReuseSource = false>
OPKIT_INLINE void Power(const LocalTensor<T>& dst, const T& src0, const LocalTensor<T>& src1,
                        const LocalTensor<uint8_t>&, uint32_t calCount) {
  const detail::LibraryCall in_library("Power");
  detail::power_of_scalar(dst, src0, src1, calCount);
}
template <typename T, bool isReuseSource = false>
OPKIT_INLINE void Power(const LocalTensor<T>& dst, const T& src0, const LocalTensor<T>& src1,
                        const LocalTensor<uint8_t>&) {
  const detail::LibraryCall in_library("Power");
  detail::power_of_scalar(dst, src0, src1, src1.GetSize());
}
template <typename T, bool isReuseSource = false>
OPKIT_INLINE void Power(const LocalTensor<T>& dst, const T& src0, const LocalTensor<T>& src1,
                        uint32_t calCount) {
  const detail::LibraryCall in_library("Power");
  detail::power_of_scalar(dst, src0, src1, calCount);
}
template <typename T, bool isReuseSource = false>
OPKIT_INLINE void Power(const LocalTensor<T>& dst, const T& src0, const LocalTensor<T>& src1) {
  const detail::LibraryCall in_library("Power");
  detail::power_of_scalar(dst, src0, src1, src1.GetSize());
}

// The level of the vendor's series changes nothing here: the result is always good to the last
// places.
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
OPKIT_INLINE void Exp(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                      const LocalTensor<uint8_t>&, const uint32_t calCount) {
  static_assert(detail::is_real<T>(), "Exp" OPKIT_REALS);
  detail::unary(OPK_V_EXP, dst, src, calCount);
}
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
OPKIT_INLINE void Exp(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                      const uint32_t calCount) {
  static_assert(detail::is_real<T>(), "Exp" OPKIT_REALS);
  detail::unary(OPK_V_EXP, dst, src, calCount);
}

namespace detail {

// dst += src * scalar as two instructions; from half to float in float.
template <typename T, typename U>
OPKIT_INLINE void axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, U scalar,
                       const LocalTensor<uint8_t>& tmp, uint32_t count) {
  static_assert(is_real<T>() && (std::is_same<T, U>::value ||
                                 (std::is_same<T, float>::value && std::is_same<U, half>::value)),
                "Axpy exists for half, float, and half to float only: Cast to float first");
  in_pieces("Axpy", tmp, 1, count, [&](uint32_t first, uint32_t rest, const Floats& t) {
    const auto n = static_cast<int32_t>(rest);
    const LocalTensor<T> product = t[0].template ReinterpretCast<T>();
    if constexpr (std::is_same<T, U>::value) {
      Muls(product, src[first], scalar, n);
    } else {
      Cast(product, src[first], RoundMode::CAST_NONE, rest);
      Muls(product, product, static_cast<float>(scalar), n);
    }
    Add(dst[first], dst[first], product, n);
  });
}

}  // namespace detail

template <typename T, typename U, bool isReuseSource = false>
OPKIT_INLINE void Axpy(const LocalTensor<T>& dstTensor, const LocalTensor<U>& srcTensor,
                       const U scalarValue, const LocalTensor<uint8_t>& sharedTmpBuffer,
                       const uint32_t calCount) {
  const detail::LibraryCall in_library("Axpy");
  detail::axpy(dstTensor, srcTensor, scalarValue, sharedTmpBuffer, calCount);
}

#define OPKIT_CLAMP(Name, Call)                                                                  \
  template <typename T, bool isReuseSource = false>                                              \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                   \
                         const LocalTensor<uint8_t>&, const T scalar, const uint32_t calCount) { \
    static_assert(detail::is_real<T>(), #Name OPKIT_REALS);                                      \
    Call(dst, src, scalar, static_cast<int32_t>(calCount));                                      \
  }                                                                                              \
  template <typename T, bool isReuseSource = false>                                              \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T scalar,   \
                         const uint32_t calCount) {                                              \
    static_assert(detail::is_real<T>(), #Name OPKIT_REALS);                                      \
    Call(dst, src, scalar, static_cast<int32_t>(calCount));                                      \
  }
OPKIT_CLAMP(ClampMax, Mins)
OPKIT_CLAMP(ClampMin, Maxs)
#undef OPKIT_CLAMP
#undef OPKIT_REALS

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_MATH_H_
