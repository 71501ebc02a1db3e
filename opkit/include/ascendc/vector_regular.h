// The calls of regular shape, made from the rows of opkit/abi/vector_ops.inc: one source (Abs, Exp,
// ...), two sources (Add, Sub, ...), bits (And, Or), a tensor and a scalar (Adds, Muls, ...).
// (Pages of those names.)
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_REGULAR_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_REGULAR_H_

#include "opkit/include/ascendc/vector_types.h"

namespace AscendC {
namespace detail {

// count in 16-bit words, whatever the elements are.
template <typename T, typename Count>
OPKIT_INLINE void bitwise(opk_vector_op op, const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                          const LocalTensor<T>& src1, Count count) {
  // As many words as there are elements are half of them.
  if constexpr (sizeof(T) == 4) {
    if (__builtin_expect(static_cast<uint64_t>(count) == dst.GetSize(), 0))
      core()->isa->fault(core(), "EK1219",
                         "And, Or: the count is one of 16-bit words, of which a tensor of int32_t "
                         "or uint32_t has two per element, so that half of it stays as it was; "
                         "give twice the count, or use ReinterpretCast<int16_t>() of all operands");
  }
  binary(op, dst.template ReinterpretCast<uint16_t>(), src0.template ReinterpretCast<uint16_t>(),
         src1.template ReinterpretCast<uint16_t>(), count);
}

}  // namespace detail

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

#define OPKIT_BINARY(Name, OP, accepted, sentence)                                            \
  template <typename T>                                                                       \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,               \
                         const LocalTensor<T>& src1, const int32_t& count) {                  \
    static_assert(accepted, #Name sentence);                                                  \
    detail::binary(OP, dst, src0, src1, count);                                               \
  }                                                                                           \
  template <typename T, bool isSetMask = true>                                                \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,               \
                         const LocalTensor<T>& src1, const uint64_t mask[],                   \
                         const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {  \
    static_assert(accepted, #Name sentence);                                                  \
    detail::binary<isSetMask>(OP, dst, src0, src1, mask, repeatTime, repeatParams);           \
  }                                                                                           \
  template <typename T, bool isSetMask = true>                                                \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,               \
                         const LocalTensor<T>& src1, uint64_t mask, const uint8_t repeatTime, \
                         const BinaryRepeatParams& repeatParams) {                            \
    static_assert(accepted, #Name sentence);                                                  \
    detail::binary<isSetMask>(OP, dst, src0, src1, mask, repeatTime, repeatParams);           \
  }

// Tensors of 32-bit integers are taken by count alone; the count is one of 16-bit words.
#define OPKIT_BITWISE(Name, OP)                                                               \
  template <typename T>                                                                       \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,               \
                         const LocalTensor<T>& src1, const int32_t& count) {                  \
    static_assert(detail::one_of<T, int16_t, uint16_t, int32_t, uint32_t>(),                  \
                  #Name OPKIT_SENTENCE_INT16S);                                               \
    detail::bitwise(OP, dst, src0, src1, count);                                              \
  }                                                                                           \
  template <typename T, bool isSetMask = true>                                                \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,               \
                         const LocalTensor<T>& src1, const uint64_t mask[],                   \
                         const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {  \
    static_assert(detail::one_of<T, int16_t, uint16_t>(), #Name OPKIT_SENTENCE_INT16S);       \
    detail::binary<isSetMask>(OP, dst, src0, src1, mask, repeatTime, repeatParams);           \
  }                                                                                           \
  template <typename T, bool isSetMask = true>                                                \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,               \
                         const LocalTensor<T>& src1, uint64_t mask, const uint8_t repeatTime, \
                         const BinaryRepeatParams& repeatParams) {                            \
    static_assert(detail::one_of<T, int16_t, uint16_t>(), #Name OPKIT_SENTENCE_INT16S);       \
    detail::binary<isSetMask>(OP, dst, src0, src1, mask, repeatTime, repeatParams);           \
  }

// Two overloads: the scalar in the tensor's element type, and in its primitive type (or a limit
// of it). The second has
// a parameter more, so that a pointer to the call means the first.
#define OPKIT_SCALAR_FORMS(Name, OP, template_head, Scalar, accepted, sentence, more)          \
  template_head OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,   \
                                       const Scalar& scalarValue, const int32_t& count more) { \
    static_assert(accepted, #Name sentence);                                                   \
    detail::unary(OP, dst, src, count, detail::bits(scalarValue));                             \
  }                                                                                            \
  template_head OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,   \
                                       const Scalar& scalarValue, const uint64_t mask[],       \
                                       const uint8_t repeatTime,                               \
                                       const UnaryRepeatParams& repeatParams more) {           \
    static_assert(accepted, #Name sentence);                                                   \
    detail::unary<isSetMask>(OP, dst, src, mask, repeatTime, repeatParams,                     \
                             detail::bits(scalarValue));                                       \
  }                                                                                            \
  template_head OPKIT_INLINE void Name(                                                        \
      const LocalTensor<T>& dst, const LocalTensor<T>& src, const Scalar& scalarValue,         \
      uint64_t mask, const uint8_t repeatTime, const UnaryRepeatParams& repeatParams more) {   \
    static_assert(accepted, #Name sentence);                                                   \
    detail::unary<isSetMask>(OP, dst, src, mask, repeatTime, repeatParams,                     \
                             detail::bits(scalarValue));                                       \
  }

#define OPKIT_SAME_HEAD template <typename T, bool isSetMask = true>
#define OPKIT_PRIMITIVE_HEAD                               \
  template <typename T, typename U, bool isSetMask = true, \
            std::enable_if_t<detail::is_scalar_of<T, U>, bool> = true>

#define OPKIT_PRIMITIVE , detail::ByPrimitive = {}
#define OPKIT_SCALAR(Name, OP, accepted, sentence)                       \
  OPKIT_SCALAR_FORMS(Name, OP, OPKIT_SAME_HEAD, T, accepted, sentence, ) \
  OPKIT_SCALAR_FORMS(Name, OP, OPKIT_PRIMITIVE_HEAD, U, accepted, sentence, OPKIT_PRIMITIVE)

#define OPKIT_API_UNARY(Name, OP, types) \
  OPKIT_UNARY(Name, OP, OPKIT_TYPES_##types, OPKIT_SENTENCE_##types)
#define OPKIT_API_BINARY(Name, OP, types) \
  OPKIT_BINARY(Name, OP, OPKIT_TYPES_##types, OPKIT_SENTENCE_##types)
#define OPKIT_API_BITWISE(Name, OP, types) OPKIT_BITWISE(Name, OP)
#define OPKIT_API_SCALAR(Name, OP, types) \
  OPKIT_SCALAR(Name, OP, OPKIT_TYPES_##types, OPKIT_SENTENCE_##types)
#define OPKIT_API_OWN(Name, OP, types)

#define X(id, name, sources, family, cost, leaves, api, types) \
  OPKIT_API_##api(name, OPK_V_##id, types)
#include "opkit/abi/vector_ops.inc"
#undef X

// The newer name of FusedMulAddRelu.
OPKIT_API_BINARY(MulAddRelu, OPK_V_FUSED_MUL_ADD_RELU, REALS)

#undef OPKIT_API_OWN
#undef OPKIT_API_SCALAR
#undef OPKIT_API_BITWISE
#undef OPKIT_API_BINARY
#undef OPKIT_API_UNARY
#undef OPKIT_SCALAR
#undef OPKIT_PRIMITIVE
#undef OPKIT_PRIMITIVE_HEAD
#undef OPKIT_SAME_HEAD
#undef OPKIT_SCALAR_FORMS
#undef OPKIT_BITWISE
#undef OPKIT_BINARY
#undef OPKIT_UNARY

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_REGULAR_H_
