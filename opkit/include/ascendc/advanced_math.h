// Log, Sigmoid, Tanh, Erf, Sin ... Power, Floor ... Fmod, Xor, Exp, Clamp: one instruction of the
// engine each, which needs no temporary buffer (pages of those names). Most are rows of
// opkit/abi/library_calls.inc.
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_MATH_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_MATH_H_

#include "opkit/include/ascendc/advanced_scratch.h"

namespace AscendC {

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

#define OPKIT_ADVANCED_UNARY(Name, OP, apart, accepted, sentence)                                \
  template <typename T, bool isReuseSource = false>                                              \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                   \
                         const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) { \
    static_assert(accepted, #Name sentence);                                                     \
    detail::library_unary<detail::Apart::apart>(#Name, OP, dst, src, calCount, sharedTmpBuffer); \
  }                                                                                              \
  template <typename T, bool isReuseSource = false>                                              \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                   \
                         const LocalTensor<uint8_t>& sharedTmpBuffer) {                          \
    static_assert(accepted, #Name sentence);                                                     \
    detail::library_unary<detail::Apart::apart>(#Name, OP, dst, src, src.GetSize(),              \
                                                sharedTmpBuffer);                                \
  }                                                                                              \
  template <typename T, bool isReuseSource = false>                                              \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                   \
                         const uint32_t calCount) {                                              \
    static_assert(accepted, #Name sentence);                                                     \
    detail::library_unary<detail::Apart::apart>(#Name, OP, dst, src, calCount);                  \
  }                                                                                              \
  template <typename T, bool isReuseSource = false>                                              \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src) {                 \
    static_assert(accepted, #Name sentence);                                                     \
    detail::library_unary<detail::Apart::apart>(#Name, OP, dst, src, src.GetSize());             \
  }

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

#define X(id, name, api, types, apart, sizes, live, plain, slow) \
  OPKIT_ADVANCED_##api(name, OPK_V_##id, apart, OPKIT_TYPES_##types, OPKIT_SENTENCE_##types)
#include "opkit/abi/library_calls.inc"
#undef X
#undef OPKIT_ADVANCED_BINARY
#undef OPKIT_ADVANCED_UNARY

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
  static_assert(OPKIT_TYPES_REALS, "Exp" OPKIT_SENTENCE_REALS);
  detail::library_unary<detail::Apart::kAll>("Exp", OPK_V_EXP, dst, src, calCount, sharedTmpBuffer);
}
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
OPKIT_INLINE void Exp(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                      const uint32_t calCount) {
  static_assert(OPKIT_TYPES_REALS, "Exp" OPKIT_SENTENCE_REALS);
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
    static_assert(OPKIT_TYPES_REALS, #Name OPKIT_SENTENCE_REALS);                              \
    if (detail::clamps(#Name, dst, src, calCount, sharedTmpBuffer))                            \
      Call(dst, src, scalar, static_cast<int32_t>(calCount));                                  \
  }                                                                                            \
  template <typename T, bool isReuseSource = false>                                            \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T scalar, \
                         const uint32_t calCount) {                                            \
    static_assert(OPKIT_TYPES_REALS, #Name OPKIT_SENTENCE_REALS);                              \
    if (detail::clamps(#Name, dst, src, calCount))                                             \
      Call(dst, src, scalar, static_cast<int32_t>(calCount));                                  \
  }
OPKIT_CLAMP(ClampMax, Mins)
OPKIT_CLAMP(ClampMin, Maxs)
#undef OPKIT_CLAMP

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_MATH_H_
