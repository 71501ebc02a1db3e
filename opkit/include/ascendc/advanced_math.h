// Log, Sigmoid, Tanh, Erf, Sin ... Power, Floor ... Fmod, Xor, Exp, Clamp: one instruction of the
// engine each, which needs no temporary buffer. (Pages of those names.)
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_MATH_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_MATH_H_

#include "opkit/include/ascendc/advanced_scratch.h"

namespace AscendC {

#define OPKIT_REALS " exists for half and float only: Cast other types to float first"

namespace detail {

// What a page excludes: overlaps of source and destination, of sharedTmpBuffer and either, or both.
enum class Apart { kSource = 1, kBuffer = 2, kAll = 3 };

template <Apart apart, typename... Sources>
OPKIT_INLINE bool excludes(const char* name, const LocalTensor<uint8_t>& tmp, const Extent& dst,
                           const Sources&... sources) {
  constexpr int kBits = static_cast<int>(apart);
  return ((kBits & 1) && excludes_overlap(name, dst, sources...)) ||
         ((kBits & 2) && excludes_shared(name, tmp, dst, sources...));
}

template <Apart apart, typename T>
OPKIT_INLINE void library_unary(const char* name, opk_vector_op op, const LocalTensor<T>& dst,
                                const LocalTensor<T>& src, uint32_t count,
                                const LocalTensor<uint8_t>& tmp = {}) {
  if (excludes<apart>(name, tmp, extent(dst, count), extent(src, count))) return;
  unary(op, dst, src, count);
}
template <Apart apart, typename T>
OPKIT_INLINE void library_binary(const char* name, opk_vector_op op, const LocalTensor<T>& dst,
                                 const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                                 uint32_t count, const LocalTensor<uint8_t>& tmp = {}) {
  if (excludes<apart>(name, tmp, extent(dst, count), extent(src0, count), extent(src1, count)))
    return;
  binary(op, dst, src0, src1, count);
}

}  // namespace detail

#define OPKIT_ADVANCED_UNARY(Name, OP, apart)                                                    \
  template <typename T, bool isReuseSource = false>                                              \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                   \
                         const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) { \
    static_assert(detail::is_real<T>(), #Name OPKIT_REALS);                                      \
    detail::library_unary<detail::Apart::apart>(#Name, OP, dst, src, calCount, sharedTmpBuffer); \
  }                                                                                              \
  template <typename T, bool isReuseSource = false>                                              \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                   \
                         const LocalTensor<uint8_t>& sharedTmpBuffer) {                          \
    static_assert(detail::is_real<T>(), #Name OPKIT_REALS);                                      \
    detail::library_unary<detail::Apart::apart>(#Name, OP, dst, src, src.GetSize(),              \
                                                sharedTmpBuffer);                                \
  }                                                                                              \
  template <typename T, bool isReuseSource = false>                                              \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                   \
                         const uint32_t calCount) {                                              \
    static_assert(detail::is_real<T>(), #Name OPKIT_REALS);                                      \
    detail::library_unary<detail::Apart::apart>(#Name, OP, dst, src, calCount);                  \
  }                                                                                              \
  template <typename T, bool isReuseSource = false>                                              \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src) {                 \
    static_assert(detail::is_real<T>(), #Name OPKIT_REALS);                                      \
    detail::library_unary<detail::Apart::apart>(#Name, OP, dst, src, src.GetSize());             \
  }

OPKIT_ADVANCED_UNARY(Log, OPK_V_LN, kSource)
OPKIT_ADVANCED_UNARY(Log2, OPK_V_LOG2, kSource)
OPKIT_ADVANCED_UNARY(Log10, OPK_V_LOG10, kSource)
OPKIT_ADVANCED_UNARY(Sigmoid, OPK_V_SIGMOID, kAll)
OPKIT_ADVANCED_UNARY(Tanh, OPK_V_TANH, kAll)
OPKIT_ADVANCED_UNARY(Erf, OPK_V_ERF, kSource)
OPKIT_ADVANCED_UNARY(Erfc, OPK_V_ERFC, kAll)
OPKIT_ADVANCED_UNARY(Sin, OPK_V_SIN, kAll)
OPKIT_ADVANCED_UNARY(Cos, OPK_V_COS, kAll)
OPKIT_ADVANCED_UNARY(Tan, OPK_V_TAN, kAll)
OPKIT_ADVANCED_UNARY(Asin, OPK_V_ASIN, kAll)
OPKIT_ADVANCED_UNARY(Acos, OPK_V_ACOS, kAll)
OPKIT_ADVANCED_UNARY(Atan, OPK_V_ATAN, kAll)
OPKIT_ADVANCED_UNARY(Sinh, OPK_V_SINH, kAll)
OPKIT_ADVANCED_UNARY(Cosh, OPK_V_COSH, kAll)
OPKIT_ADVANCED_UNARY(Asinh, OPK_V_ASINH, kAll)
OPKIT_ADVANCED_UNARY(Acosh, OPK_V_ACOSH, kAll)
OPKIT_ADVANCED_UNARY(Atanh, OPK_V_ATANH, kAll)
OPKIT_ADVANCED_UNARY(Floor, OPK_V_FLOOR, kAll)
OPKIT_ADVANCED_UNARY(Ceil, OPK_V_CEIL, kAll)
OPKIT_ADVANCED_UNARY(Round, OPK_V_ROUND, kBuffer)
OPKIT_ADVANCED_UNARY(Rint, OPK_V_RINT, kAll)
OPKIT_ADVANCED_UNARY(Trunc, OPK_V_TRUNC, kBuffer)
OPKIT_ADVANCED_UNARY(Frac, OPK_V_FRAC, kSource)
OPKIT_ADVANCED_UNARY(Sign, OPK_V_SIGN, kAll)
OPKIT_ADVANCED_UNARY(Lgamma, OPK_V_LGAMMA, kAll)
OPKIT_ADVANCED_UNARY(Digamma, OPK_V_DIGAMMA, kAll)
#undef OPKIT_ADVANCED_UNARY

#define OPKIT_ADVANCED_BINARY(Name, OP, apart, accepted, sentence)                                \
  template <typename T, bool isReuseSource = false>                                               \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                   \
                         const LocalTensor<T>& src1, const LocalTensor<uint8_t>& sharedTmpBuffer, \
                         const uint32_t calCount) {                                               \
    static_assert(accepted, #Name sentence);                                                      \
    detail::library_binary<detail::Apart::apart>(#Name, OP, dst, src0, src1, calCount,            \
                                                 sharedTmpBuffer);                                \
  }                                                                                               \
  template <typename T, bool isReuseSource = false>                                               \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                   \
                         const LocalTensor<T>& src1,                                              \
                         const LocalTensor<uint8_t>& sharedTmpBuffer) {                           \
    static_assert(accepted, #Name sentence);                                                      \
    detail::library_binary<detail::Apart::apart>(#Name, OP, dst, src0, src1, src0.GetSize(),      \
                                                 sharedTmpBuffer);                                \
  }                                                                                               \
  template <typename T, bool isReuseSource = false>                                               \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                   \
                         const LocalTensor<T>& src1, const uint32_t calCount) {                   \
    static_assert(accepted, #Name sentence);                                                      \
    detail::library_binary<detail::Apart::apart>(#Name, OP, dst, src0, src1, calCount);           \
  }                                                                                               \
  template <typename T, bool isReuseSource = false>                                               \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                   \
                         const LocalTensor<T>& src1) {                                            \
    static_assert(accepted, #Name sentence);                                                      \
    detail::library_binary<detail::Apart::apart>(#Name, OP, dst, src0, src1, src0.GetSize());     \
  }

OPKIT_ADVANCED_BINARY(Fmod, OPK_V_FMOD, kAll, (detail::is_real<T>()), OPKIT_REALS)
OPKIT_ADVANCED_BINARY(Power, OPK_V_POWER, kSource, (detail::one_of<T, half, float, int32_t>()),
                      " exists for half, float and int32_t only: Cast other types to float first")
OPKIT_ADVANCED_BINARY(Xor, OPK_V_XOR, kAll, (detail::one_of<T, int16_t, uint16_t>()),
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
                      const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
  static_assert(detail::is_real<T>(), "Exp" OPKIT_REALS);
  detail::library_unary<detail::Apart::kAll>("Exp", OPK_V_EXP, dst, src, calCount, sharedTmpBuffer);
}
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
OPKIT_INLINE void Exp(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                      const uint32_t calCount) {
  static_assert(detail::is_real<T>(), "Exp" OPKIT_REALS);
  detail::library_unary<detail::Apart::kAll>("Exp", OPK_V_EXP, dst, src, calCount);
}

namespace detail {

// dst += src * scalar as two instructions; from half to float in float.
template <typename T, typename U>
OPKIT_INLINE void axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, U scalar,
                       const LocalTensor<uint8_t>& tmp, uint32_t count) {
  static_assert(is_real<T>() && (std::is_same<T, U>::value ||
                                 (std::is_same<T, float>::value && std::is_same<U, half>::value)),
                "Axpy exists for half, float, and half to float only: Cast to float first");
  if (excludes_any("Axpy", tmp, extent(dst, count), extent(src, count))) return;
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

namespace detail {

template <typename T>
OPKIT_INLINE bool clamps(const char* name, const LocalTensor<T>& dst, const LocalTensor<T>& src,
                         uint32_t count, const LocalTensor<uint8_t>& tmp = {}) {
  return !excludes_any(name, tmp, extent(dst, count), extent(src, count));
}

}  // namespace detail

#define OPKIT_CLAMP(Name, Call)                                                                \
  template <typename T, bool isReuseSource = false>                                            \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                 \
                         const LocalTensor<uint8_t>& sharedTmpBuffer, const T scalar,          \
                         const uint32_t calCount) {                                            \
    static_assert(detail::is_real<T>(), #Name OPKIT_REALS);                                    \
    if (detail::clamps(#Name, dst, src, calCount, sharedTmpBuffer))                            \
      Call(dst, src, scalar, static_cast<int32_t>(calCount));                                  \
  }                                                                                            \
  template <typename T, bool isReuseSource = false>                                            \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T scalar, \
                         const uint32_t calCount) {                                            \
    static_assert(detail::is_real<T>(), #Name OPKIT_REALS);                                    \
    if (detail::clamps(#Name, dst, src, calCount))                                             \
      Call(dst, src, scalar, static_cast<int32_t>(calCount));                                  \
  }
OPKIT_CLAMP(ClampMax, Mins)
OPKIT_CLAMP(ClampMin, Maxs)
#undef OPKIT_CLAMP
#undef OPKIT_REALS

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_MATH_H_
