// SetDeqScale and CastDequant, with its older name CastDeq. (Pages of those names.)
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_DEQUANT_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_DEQUANT_H_

#include "opkit/include/ascendc/vector_cast.h"

namespace AscendC {

// 16 groups of parameters, one per element of a block.
struct VdeqInfo {
  VdeqInfo() = default;
  VdeqInfo(const float scale[16], const int16_t offset[16], const bool signMode[16]) {
    for (int i = 0; i < 16; ++i) {
      vdeqScale[i] = scale[i];
      vdeqOffset[i] = offset[i];
      vdeqSignMode[i] = signMode[i];
    }
  }

  float vdeqScale[16] = {0};
  int16_t vdeqOffset[16] = {0};
  bool vdeqSignMode[16] = {0};
};

namespace detail {

// deq_offset_sign while the register holds the address of 16 words: this bit, and bytes from the
// start of UB.
constexpr uint32_t kDeqWords = 1u << 31;

inline uint64_t deq_word(float scale, int16_t offset, bool sign) {
  return bits(scale) | static_cast<uint64_t>(static_cast<uint16_t>(offset) & 0x1ff) << 37 |
         static_cast<uint64_t>(sign) << 46;
}

[[gnu::cold, gnu::noinline]] inline const char* deq_sentence(bool words) {
  return words ? "CastDequant: isVecDeq is true, but SetDeqScale gave no tensor of scales; call "
                 "SetDeqScale(vdeq, vdeqInfo) first"
               : "CastDequant: isVecDeq is false, but SetDeqScale gave a tensor of scales; call "
                 "SetDeqScale(scale, offset, signMode) first";
}

// Adds the operand and the flags of the mode. False: the register is of the other one.
template <bool isVecDeq, bool halfBlock>
OPKIT_INLINE bool set_deq(opk_vector_v1& v) {
  const uint32_t held = core()->deq_offset_sign;
  if (__builtin_expect(((held & kDeqWords) != 0) != isVecDeq, 0))
    return core()->isa->fault(core(), "EK1217", deq_sentence(isVecDeq)), false;
  v.flags = static_cast<uint8_t>((halfBlock ? 1 : 0) | (isVecDeq ? 2 : 0));
  if (isVecDeq) {
    v.operand_count = 3;
    put(v.operand[2], LocalTensor<uint64_t>(TPosition::VECCALC, held & ~kDeqWords, 16));
  }
  return true;
}

template <typename T, typename U>
constexpr bool is_dequant() {
  return one_of<T, int8_t, uint8_t>() && one_of<U, int16_t>();
}
template <typename T, typename U>
constexpr bool is_scaled_cast() {
  return one_of<T, half>() && one_of<U, int32_t>();
}

}  // namespace detail

// For AddDeqRelu, and for Cast and CastDequant from int32_t to half.
OPKIT_INLINE void SetDeqScale(half scale) { detail::core()->deq_scale = static_cast<float>(scale); }
// For CastDequant without isVecDeq. Of offset the low nine bits count.
OPKIT_INLINE void SetDeqScale(float scale, int16_t offset, bool signMode) {
  detail::core()->deq_scale = scale;
  detail::core()->deq_offset_sign =
      static_cast<uint32_t>(static_cast<uint16_t>(offset)) | (signMode ? 1u << 16 : 0u);
}
// For CastDequant with isVecDeq: writes the parameters into vdeq (128 bytes).
template <typename T>
inline void SetDeqScale(const LocalTensor<T>& vdeq, const VdeqInfo& vdeqInfo) {
  static_assert(std::is_same<T, uint64_t>::value, "SetDeqScale takes a tensor of uint64_t");
  for (uint32_t i = 0; i < 16; ++i)
    vdeq.SetValue(i, detail::deq_word(vdeqInfo.vdeqScale[i], vdeqInfo.vdeqOffset[i],
                                      vdeqInfo.vdeqSignMode[i]));
  const auto* first = static_cast<const uint8_t*>(detail::operand(vdeq).address);
  detail::core()->deq_offset_sign =
      detail::kDeqWords | static_cast<uint32_t>(first - detail::core()->memory[OPK_MEM_UB]);
}

#define OPKIT_DEQUANT_SENTENCE \
  " exists for int16_t to int8_t or uint8_t, and int32_t to half, only: use Cast"

// int16_t: the results of a block of the source go to the upper (halfBlock) or the lower half of a
// block of dst. int32_t: Cast to half times the scale.
template <typename T, typename U, bool isVecDeq = true, bool halfBlock = true>
OPKIT_INLINE void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                              const uint32_t count) {
  static_assert(detail::is_dequant<T, U>() || detail::is_scaled_cast<T, U>(),
                "CastDequant" OPKIT_DEQUANT_SENTENCE);
  if constexpr (detail::is_scaled_cast<T, U>()) {
    Cast(dst, src, RoundMode::CAST_RINT, count);
  } else {
    opk_vector_v1 v = detail::vector_call(OPK_V_CAST_DEQ, 2);
    detail::put(v.operand[0], dst);
    detail::put(v.operand[1], src);
    if (!detail::set_deq<isVecDeq, halfBlock>(v)) return;
    detail::set_count(v, count);
    detail::issue(v);
  }
}

namespace detail {

template <typename T, typename U, bool isSetMask, bool isVecDeq, bool halfBlock, typename Mask>
OPKIT_INLINE void dequant(const LocalTensor<T>& dst, const LocalTensor<U>& src, Mask mask,
                          uint8_t repeats, const UnaryRepeatParams& p) {
  static_assert(is_dequant<T, U>() || is_scaled_cast<T, U>(), "CastDequant" OPKIT_DEQUANT_SENTENCE);
  if constexpr (is_scaled_cast<T, U>()) {
    Cast<T, U, isSetMask>(dst, src, RoundMode::CAST_RINT, mask, repeats, p);
  } else {
    opk_vector_v1 v = vector_call(OPK_V_CAST_DEQ, 2);
    put(v.operand[0], dst, p.dstBlkStride, p.dstRepStride);
    put(v.operand[1], src, p.srcBlkStride, p.srcRepStride);
    if (!set_deq<isVecDeq, halfBlock>(v)) return;
    set_repeats<U, isSetMask>(v, mask, repeats);
    issue(v);
  }
}

}  // namespace detail

template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true,
          bool halfBlock = true>
OPKIT_INLINE void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                              const uint64_t mask[], uint8_t repeatTime,
                              const UnaryRepeatParams& repeatParams) {
  detail::dequant<T, U, isSetMask, isVecDeq, halfBlock>(dst, src, mask, repeatTime, repeatParams);
}
template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true,
          bool halfBlock = true>
OPKIT_INLINE void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                              const int32_t mask, uint8_t repeatTime,
                              const UnaryRepeatParams& repeatParams) {
  detail::dequant<T, U, isSetMask, isVecDeq, halfBlock>(
      dst, src, static_cast<uint64_t>(mask < 0 ? 0 : mask), repeatTime, repeatParams);
}
#undef OPKIT_DEQUANT_SENTENCE

// Older name.
template <typename T, typename U, bool isVecDeq = true, bool halfBlock = true>
OPKIT_INLINE void CastDeq(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                          const uint32_t count) {
  CastDequant<T, U, isVecDeq, halfBlock>(dst, src, count);
}
template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true,
          bool halfBlock = true>
OPKIT_INLINE void CastDeq(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                          const uint64_t mask[], uint8_t repeatTime,
                          const UnaryRepeatParams& repeatParams) {
  CastDequant<T, U, isSetMask, isVecDeq, halfBlock>(dst, src, mask, repeatTime, repeatParams);
}
template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true,
          bool halfBlock = true>
OPKIT_INLINE void CastDeq(const LocalTensor<T>& dst, const LocalTensor<U>& src, const int32_t mask,
                          uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
  CastDequant<T, U, isSetMask, isVecDeq, halfBlock>(dst, src, mask, repeatTime, repeatParams);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_DEQUANT_H_
