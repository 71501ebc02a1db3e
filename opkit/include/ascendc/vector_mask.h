// The mask register and the control register. (Pages "SetVectorMask", "SetMaskNorm",
// "SetMaskCount", "ResetMask", "SetSaturationFlag(ISASI)", "SetCtrlSpr(ISASI)".)
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_MASK_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_MASK_H_

#include "opkit/include/ascendc/vector_issue.h"

namespace AscendC {

enum class SaturationMode : uint8_t { FLOAT = 0, CAST };

OPKIT_INLINE void SetMaskNorm() { detail::core()->mask_mode = 0; }
OPKIT_INLINE void SetMaskCount() { detail::core()->mask_mode = 1; }

OPKIT_INLINE void ResetMask() { detail::core()->mask[0] = detail::core()->mask[1] = ~uint64_t{0}; }

// Bits 64 to 127 and 0 to 63; in counter mode maskLow is the number of elements.
template <typename T, MaskMode mode = MaskMode::NORMAL>
OPKIT_INLINE void SetVectorMask(const uint64_t maskHigh, const uint64_t maskLow) {
  detail::core()->mask[0] = maskLow;
  detail::core()->mask[1] = maskHigh;
}
// The first len elements; in counter mode len elements altogether.
template <typename T, MaskMode mode = MaskMode::NORMAL>
OPKIT_INLINE void SetVectorMask(int32_t len) {
  if (mode == MaskMode::COUNTER) {
    detail::core()->mask[0] = static_cast<uint32_t>(len);
    detail::core()->mask[1] = 0;
  } else {
    detail::set_prefix_mask(static_cast<uint64_t>(len));
  }
}

// Control register: bit 48 keeps inf and NaN in half and bfloat16_t results (0: saturate), bit 59
// lets conversions to integers keep the low bits (0: saturate).
template <SaturationMode mode>
OPKIT_INLINE void SetSaturationFlag(bool saturate) {
  detail::require_call("SetSaturationFlag");
  constexpr uint64_t bit = uint64_t{1} << (mode == SaturationMode::FLOAT ? 48 : 59);
  detail::core()->ctrl = saturate ? detail::core()->ctrl & ~bit : detail::core()->ctrl | bit;
}
template <SaturationMode mode>
OPKIT_INLINE bool GetSaturationFlag() {
  constexpr uint64_t bit = uint64_t{1} << (mode == SaturationMode::FLOAT ? 48 : 59);
  return (detail::core()->ctrl & bit) == 0;
}
template <int8_t startBit, int8_t endBit>
OPKIT_INLINE void SetCtrlSpr(int64_t value) {
  detail::require_call("SetCtrlSpr");
  constexpr uint64_t width = static_cast<uint64_t>(endBit - startBit + 1);
  constexpr uint64_t ones = width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  uint64_t& ctrl = detail::core()->ctrl;
  ctrl = (ctrl & ~(ones << startBit)) | ((static_cast<uint64_t>(value) & ones) << startBit);
}
template <int8_t startBit, int8_t endBit>
OPKIT_INLINE int64_t GetCtrlSpr() {
  detail::require_call("GetCtrlSpr");
  constexpr uint64_t width = static_cast<uint64_t>(endBit - startBit + 1);
  constexpr uint64_t ones = width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  return static_cast<int64_t>(detail::core()->ctrl >> startBit & ones);
}

// Helpers that kernels reach into.
class AscendCUtils {
 public:
  template <typename T, bool isSetMask = true>
  static OPKIT_INLINE void SetMask(const uint64_t& maskHigh, const uint64_t& maskLow) {
    if (isSetMask) SetVectorMask<T>(maskHigh, maskLow);
  }
  template <typename T, bool isSetMask = true>
  static OPKIT_INLINE void SetMask(int32_t len) {
    if (isSetMask) SetVectorMask<T>(len);
  }
  template <typename T, bool isSetMask = true>
  static OPKIT_INLINE void SetMaskCount() {
    if (isSetMask) ::AscendC::SetMaskCount();
  }
  template <typename T, bool isSetMask = true>
  static OPKIT_INLINE void SetMaskNorm() {
    if (isSetMask) ::AscendC::SetMaskNorm();
  }
  static OPKIT_INLINE void SetMaskCount() { ::AscendC::SetMaskCount(); }
  static OPKIT_INLINE void SetMaskNorm() { ::AscendC::SetMaskNorm(); }
  template <bool isSetMask = true>
  static OPKIT_INLINE void ResetMask() {
    if (isSetMask) ::AscendC::ResetMask();
  }
  // 1: inf and NaN are kept.
  static OPKIT_INLINE void SetOverflow(uint64_t ctrlValue) {
    SetCtrlSpr<48, 48>(static_cast<int64_t>(ctrlValue));
  }
  static constexpr int32_t GetBitSize(int32_t bytes) { return bytes * 8; }
  static constexpr int32_t GetC0Size() { return 32; }
  static constexpr int32_t GetC0Count(const int32_t dtypeSize) { return 32 / dtypeSize; }
  static constexpr int32_t GetDefaultBlockNum() { return DEFAULT_BLK_NUM; }
};

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_MASK_H_
