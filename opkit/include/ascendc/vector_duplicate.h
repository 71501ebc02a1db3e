// Duplicate: one value everywhere. (Page "Duplicate".)
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_DUPLICATE_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_DUPLICATE_H_

#include "opkit/include/ascendc/vector_issue.h"

namespace AscendC {
namespace detail {

template <typename T>
constexpr bool is_word() {
  return one_of<T, half, bfloat16_t, int16_t, uint16_t, float, int32_t, uint32_t>();
}

template <bool isSetMask, typename T, typename Mask>
OPKIT_INLINE void duplicate(const LocalTensor<T>& dst, const T& value, Mask mask, uint8_t repeats,
                            uint16_t block, uint8_t repeat) {
  opk_vector_v1 v = vector_call(OPK_V_DUPLICATE, 1);
  put(v.operand[0], dst, block, repeat);
  v.scalar[0] = bits(value);
  set_repeats<T, isSetMask>(v, mask, repeats);
  issue(v);
}

}  // namespace detail

#define OPKIT_DUPLICATE_TYPES                                                                    \
  "Duplicate exists for 16-bit and 32-bit types only: use ReinterpretCast<uint16_t>() with the " \
  "byte twice in one word"

template <typename T>
OPKIT_INLINE void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, const int32_t& count) {
  static_assert(detail::is_word<T>(), OPKIT_DUPLICATE_TYPES);
  opk_vector_v1 v = detail::vector_call(OPK_V_DUPLICATE, 1);
  detail::put(v.operand[0], dst);
  v.scalar[0] = detail::bits(scalarValue);
  detail::set_count(v, count);
  detail::issue(v);
}
OPKIT_INLINE void Duplicate(const LocalTensor<half>& dst, const detail::HalfLimit& limit,
                            const int32_t& count) {
  Duplicate<half>(dst, limit, count);
}
template <typename T, bool isSetMask = true>
OPKIT_INLINE void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, uint64_t mask,
                            const uint8_t repeatTime, const uint16_t dstBlockStride,
                            const uint8_t dstRepeatStride) {
  static_assert(detail::is_word<T>(), OPKIT_DUPLICATE_TYPES);
  detail::duplicate<isSetMask>(dst, scalarValue, mask, repeatTime, dstBlockStride, dstRepeatStride);
}
template <typename T, bool isSetMask = true>
OPKIT_INLINE void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, const uint64_t mask[],
                            const uint8_t repeatTime, const uint16_t dstBlockStride,
                            const uint8_t dstRepeatStride) {
  static_assert(detail::is_word<T>(), OPKIT_DUPLICATE_TYPES);
  detail::duplicate<isSetMask>(dst, scalarValue, mask, repeatTime, dstBlockStride, dstRepeatStride);
}
#undef OPKIT_DUPLICATE_TYPES

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_DUPLICATE_H_
