// Silu, Swish, Gelu, FasterGelu, FasterGeluV2, SwiGLU, GeGLU, ReGlu. (Pages of those names.) They
// compute in float; only Silu and Swish, which have no temporary buffer, compute in their own type.
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_ACTIVATION_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_ACTIVATION_H_

#include "opkit/include/ascendc/advanced_scratch.h"

namespace AscendC {
namespace detail {

#define OPKIT_REALS(name)     \
  static_assert(is_real<T>(), \
                name " exists for half and float only: Cast other types to float first")

template <typename T>
OPKIT_INLINE void swish(const char* name, const LocalTensor<T>& dst, const LocalTensor<T>& src,
                        T beta, uint32_t count) {
  if (__builtin_expect(overlap(dst, src, count), 0)) return refuse_overlap(name);
  const auto n = static_cast<int32_t>(count);
  Muls(dst, src, beta, n);
  unary(OPK_V_SIGMOID, dst, dst, n);
  Mul(dst, dst, src, n);
}

// t = sigmoid(2 sqrt(2 / pi) (x + 0.044715 x^3)): 0.5 (1 + tanh(...)) of half the argument.
OPKIT_INLINE void gelu_factor(const LocalTensor<float>& t, const LocalTensor<float>& x, int32_t n) {
  Mul(t, x, x, n);
  Muls(t, t, 0.044715f, n);
  Adds(t, t, 1.0f, n);
  Mul(t, t, x, n);
  Muls(t, t, 1.5957691216057308f, n);
  unary(OPK_V_SIGMOID, t, t, n);
}

template <typename T>
OPKIT_INLINE void gelu(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                       const LocalTensor<uint8_t>& tmp, uint32_t count) {
  OPKIT_REALS("Gelu");
  if (excludes_shared("Gelu", tmp, extent(dst, count), extent(src, count))) return;
  float_unary<1>("Gelu", dst, src, tmp, count,
                 [](const auto& y, const auto& x, int32_t n, const Floats& t) {
                   gelu_factor(t[0], x, n);
                   Mul(y, x, t[0], n);
                 });
}
// x sigmoid(1.702 x).
template <typename T>
OPKIT_INLINE void faster_gelu(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                              const LocalTensor<uint8_t>& tmp, uint32_t count) {
  OPKIT_REALS("FasterGelu");
  if (excludes_shared("FasterGelu", tmp, extent(dst, count), extent(src, count))) return;
  float_unary<1>("FasterGelu", dst, src, tmp, count,
                 [](const auto& y, const auto& x, int32_t n, const Floats& t) {
                   Muls(t[0], x, 1.702f, n);
                   unary(OPK_V_SIGMOID, t[0], t[0], n);
                   Mul(y, x, t[0], n);
                 });
}
// x (sgn(x) (0.5 - 0.1444 (min(|x| / sqrt(2), 1.769) - 1.769)^2) + 0.5).
template <typename T>
OPKIT_INLINE void faster_gelu_v2(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                 const LocalTensor<uint8_t>& tmp, uint32_t count) {
  OPKIT_REALS("FasterGeluV2");
  if (excludes_shared("FasterGeluV2", tmp, extent(dst, count), extent(src, count))) return;
  float_unary<2>("FasterGeluV2", dst, src, tmp, count,
                 [](const auto& y, const auto& x, int32_t n, const Floats& t) {
                   Abs(t[0], x, n);
                   Muls(t[0], t[0], 0.70710678f, n);
                   Mins(t[0], t[0], 1.769f, n);
                   Adds(t[0], t[0], -1.769f, n);
                   Mul(t[0], t[0], t[0], n);
                   Muls(t[0], t[0], -0.1444f, n);
                   Adds(t[0], t[0], 0.5f, n);
                   unary(OPK_V_SIGN, t[1], x, n);
                   Mul(t[0], t[0], t[1], n);
                   Adds(t[0], t[0], 0.5f, n);
                   Mul(y, x, t[0], n);
                 });
}
template <typename T>
OPKIT_INLINE void geglu(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                        const LocalTensor<T>& src1, const LocalTensor<uint8_t>& tmp,
                        uint32_t count) {
  OPKIT_REALS("GeGLU");
  if (excludes_any("GeGLU", tmp, extent(dst, count), extent(src0, count), extent(src1, count)))
    return;
  float_binary<1>("GeGLU", dst, src0, src1, tmp, count,
                  [](const auto& y, const auto& a, const auto& b, int32_t n, const Floats& t) {
                    gelu_factor(t[0], b, n);
                    Mul(t[0], t[0], b, n);
                    Mul(y, a, t[0], n);
                  });
}
template <typename T>
OPKIT_INLINE void reglu(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                        const LocalTensor<T>& src1, const LocalTensor<uint8_t>& tmp,
                        uint32_t count) {
  static_assert(
      is_real<T>() || one_of<T, bfloat16_t>(),
      "ReGlu exists for half, float and bfloat16_t only: Cast other types to float first");
  if (excludes_any("ReGlu", tmp, extent(dst, count), extent(src0, count), extent(src1, count)))
    return;
  float_binary<1>("ReGlu", dst, src0, src1, tmp, count,
                  [](const auto& y, const auto& a, const auto& b, int32_t n, const Floats& t) {
                    Relu(t[0], b, n);
                    Mul(y, a, t[0], n);
                  });
}
template <typename T>
OPKIT_INLINE void swiglu(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                         const LocalTensor<T>& src1, float beta, const LocalTensor<uint8_t>& tmp,
                         uint32_t count) {
  OPKIT_REALS("SwiGLU");
  if (excludes_any("SwiGLU", tmp, extent(dst, count), extent(src0, count), extent(src1, count)))
    return;
  float_binary<1>("SwiGLU", dst, src0, src1, tmp, count,
                  [beta](const auto& y, const auto& a, const auto& b, int32_t n, const Floats& t) {
                    Muls(t[0], b, beta, n);
                    unary(OPK_V_SIGMOID, t[0], t[0], n);
                    Mul(t[0], t[0], b, n);
                    Mul(y, a, t[0], n);
                  });
}
#undef OPKIT_REALS

}  // namespace detail

template <typename T, bool isReuseSource = false>
OPKIT_INLINE void Silu(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t dataSize) {
  const detail::LibraryCall in_library("Silu");
  static_assert(detail::is_real<T>(),
                "Silu exists for half and float only: Cast other types to float first");
  detail::swish("Silu", dst, src, static_cast<T>(1.0f), dataSize);
}
template <typename T, bool isReuseSource = false>
OPKIT_INLINE void Swish(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t dataSize,
                        const T scalarValue) {
  const detail::LibraryCall in_library("Swish");
  static_assert(detail::is_real<T>(),
                "Swish exists for half and float only: Cast other types to float first");
  detail::swish("Swish", dst, src, scalarValue, dataSize);
}

#define OPKIT_GELU(Name, function)                                                               \
  template <typename T, bool highPrecision = false, bool highPerformance = false>                \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                   \
                         const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t dataSize) { \
    const detail::LibraryCall in_library(#Name);                                                 \
    detail::function(dst, src, sharedTmpBuffer, dataSize);                                       \
  }                                                                                              \
  template <typename T, bool highPrecision = false, bool highPerformance = false>                \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                   \
                         const uint32_t dataSize) {                                              \
    const detail::LibraryCall in_library(#Name);                                                 \
    detail::function(dst, src, detail::rest_of_ub(), dataSize);                                  \
  }
OPKIT_GELU(Gelu, gelu)
OPKIT_GELU(FasterGelu, faster_gelu)
OPKIT_GELU(FasterGeluV2, faster_gelu_v2)
#undef OPKIT_GELU

#define OPKIT_GATED(Name, function)                                                               \
  template <typename T, bool isReuseSource = false>                                               \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                   \
                         const LocalTensor<T>& src1, const LocalTensor<uint8_t>& sharedTmpBuffer, \
                         const uint32_t calCount) {                                               \
    const detail::LibraryCall in_library(#Name);                                                  \
    detail::function(dst, src0, src1, sharedTmpBuffer, calCount);                                 \
  }                                                                                               \
  template <typename T, bool isReuseSource = false>                                               \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                   \
                         const LocalTensor<T>& src1,                                              \
                         const LocalTensor<uint8_t>& sharedTmpBuffer) {                           \
    const detail::LibraryCall in_library(#Name);                                                  \
    detail::function(dst, src0, src1, sharedTmpBuffer, dst.GetSize());                            \
  }                                                                                               \
  template <typename T, bool isReuseSource = false>                                               \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                   \
                         const LocalTensor<T>& src1, const uint32_t calCount) {                   \
    const detail::LibraryCall in_library(#Name);                                                  \
    detail::function(dst, src0, src1, detail::rest_of_ub(), calCount);                            \
  }                                                                                               \
  template <typename T, bool isReuseSource = false>                                               \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                   \
                         const LocalTensor<T>& src1) {                                            \
    const detail::LibraryCall in_library(#Name);                                                  \
    detail::function(dst, src0, src1, detail::rest_of_ub(), dst.GetSize());                       \
  }
OPKIT_GATED(GeGLU, geglu)
OPKIT_GATED(ReGlu, reglu)
#undef OPKIT_GATED

template <typename T, bool isReuseSource = false>
OPKIT_INLINE void SwiGLU(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                         const LocalTensor<T>& src1, const float& scalarValue,
                         const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
  const detail::LibraryCall in_library("SwiGLU");
  detail::swiglu(dst, src0, src1, scalarValue, sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
OPKIT_INLINE void SwiGLU(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                         const LocalTensor<T>& src1, const float& scalarValue,
                         const LocalTensor<uint8_t>& sharedTmpBuffer) {
  const detail::LibraryCall in_library("SwiGLU");
  detail::swiglu(dst, src0, src1, scalarValue, sharedTmpBuffer, dst.GetSize());
}
template <typename T, bool isReuseSource = false>
OPKIT_INLINE void SwiGLU(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                         const LocalTensor<T>& src1, const float& scalarValue,
                         const uint32_t calCount) {
  const detail::LibraryCall in_library("SwiGLU");
  detail::swiglu(dst, src0, src1, scalarValue, detail::rest_of_ub(), calCount);
}
template <typename T, bool isReuseSource = false>
OPKIT_INLINE void SwiGLU(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                         const LocalTensor<T>& src1, const float& scalarValue) {
  const detail::LibraryCall in_library("SwiGLU");
  detail::swiglu(dst, src0, src1, scalarValue, detail::rest_of_ub(), dst.GetSize());
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_ACTIVATION_H_
