#include "opkit/core/fractals/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/fractals/expand.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "opkit/core/fractals/expand.h"
#include "opkit/core/lanes/half_inl.h"

#include <cstring>

#include "opkit/abi/num/half.h"
#include "opkit/abi/types.h"

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lane = hn::CappedTag<float, 16>;
constexpr size_t kLanes = hn::MaxLanes(Lane());

void ExpandHalf(const uint16_t* src, size_t count, float* dst) {
  const Lane d;
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) hn::StoreU(LoadHalf(d, src + i), d, dst + i);
  for (; i < count; ++i) dst[i] = num_detail::half_bits_to_float(src[i]);
}

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace opkit::core {

HWY_EXPORT(ExpandHalf);

namespace {

// 11 bits of mantissa (page "ENABLE_HF32_EXECUTION"), to the nearest; ties to even (mode 1) or away
// from zero (pages "SetHF32TransMode", "SetHF32").
float round_hf32(float value, uint8_t mode) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  if (mode == 0 || (bits & 0x7f800000u) == 0x7f800000u) return value;
  bits += 0x7ffu + (mode == 1 ? (bits >> 12) & 1u : 1u);
  bits &= ~0xfffu;
  std::memcpy(&value, &bits, 4);
  return value;
}

void expand_int4(const uint8_t* src, uint64_t first, uint32_t count, float* dst) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t at = first + i;
    const int nibble = src[at / 2] >> (at % 2 * 4) & 15;
    dst[i] = static_cast<float>(nibble >= 8 ? nibble - 16 : nibble);
  }
}

void expand_bfloat16(const uint16_t* src, uint32_t count, float* dst) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t bits = uint32_t{src[i]} << 16;
    std::memcpy(dst + i, &bits, 4);
  }
}

}  // namespace

void expand_row(uint32_t dtype, const void* src, uint64_t first, uint32_t count, uint8_t hf32,
                float* dst) {
  switch (dtype) {
    case OPK_FLOAT16:
      return HWY_DYNAMIC_DISPATCH(ExpandHalf)(static_cast<const uint16_t*>(src) + first, count,
                                              dst);
    case OPK_BFLOAT16:
      return expand_bfloat16(static_cast<const uint16_t*>(src) + first, count, dst);
    case OPK_INT8:
      for (uint32_t i = 0; i < count; ++i)
        dst[i] = static_cast<float>(static_cast<const int8_t*>(src)[first + i]);
      return;
    case OPK_INT4: return expand_int4(static_cast<const uint8_t*>(src), first, count, dst);
    default:
      for (uint32_t i = 0; i < count; ++i)
        dst[i] = round_hf32(static_cast<const float*>(src)[first + i], hf32);
  }
}

}  // namespace opkit::core
#endif
