// Abs, Exp, Ln, Sqrt, Rsqrt, Reciprocal, Relu, Not. (Pages of those names.)
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_UNARY_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_UNARY_H_

#include "opkit/include/ascendc/vector_issue.h"

namespace AscendC {

#define OPKIT_UNARY(Name, OP, accepted, sentence)                                             \
  template <typename T>                                                                       \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                \
                         const int32_t& count) {                                              \
    static_assert(accepted, #Name sentence);                                                  \
    detail::unary(OP, dst, src, count);                                                       \
  }                                                                                           \
  template <typename T, bool isSetMask = true>                                                \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                \
                         const uint64_t mask[], const uint8_t repeatTime,                     \
                         const UnaryRepeatParams& repeatParams) {                             \
    static_assert(accepted, #Name sentence);                                                  \
    detail::unary<isSetMask>(OP, dst, src, mask, repeatTime, repeatParams);                   \
  }                                                                                           \
  template <typename T, bool isSetMask = true>                                                \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask, \
                         const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {   \
    static_assert(accepted, #Name sentence);                                                  \
    detail::unary<isSetMask>(OP, dst, src, mask, repeatTime, repeatParams);                   \
  }

#define OPKIT_REAL_ONLY " exists for half and float only: Cast other types to float first"

OPKIT_UNARY(Abs, OPK_V_ABS, (detail::is_real<T>()), OPKIT_REAL_ONLY)
OPKIT_UNARY(Exp, OPK_V_EXP, (detail::is_real<T>()), OPKIT_REAL_ONLY)
OPKIT_UNARY(Ln, OPK_V_LN, (detail::is_real<T>()), OPKIT_REAL_ONLY)
OPKIT_UNARY(Sqrt, OPK_V_SQRT, (detail::is_real<T>()), OPKIT_REAL_ONLY)
OPKIT_UNARY(Rsqrt, OPK_V_RSQRT, (detail::is_real<T>()), OPKIT_REAL_ONLY)
OPKIT_UNARY(Reciprocal, OPK_V_RECIPROCAL, (detail::is_real<T>()), OPKIT_REAL_ONLY)
OPKIT_UNARY(Relu, OPK_V_RELU, (detail::one_of<T, half, float, int32_t>()),
            " exists for half, float and int32_t only: Cast other types to float first")
OPKIT_UNARY(Not, OPK_V_NOT, (detail::one_of<T, int16_t, uint16_t>()),
            " exists for int16_t and uint16_t only: use ReinterpretCast<uint16_t>()")

#undef OPKIT_REAL_ONLY
#undef OPKIT_UNARY

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_UNARY_H_
