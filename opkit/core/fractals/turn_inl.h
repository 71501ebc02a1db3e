// Turning blocks of words and pairing rows, for the SIMD files of the cube unit. Included once per
// SIMD target, after highway.h.
#if defined(OPKIT_CORE_ISA_CUBE_TURN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef OPKIT_CORE_ISA_CUBE_TURN_INL_H_
#undef OPKIT_CORE_ISA_CUBE_TURN_INL_H_
#else
#define OPKIT_CORE_ISA_CUBE_TURN_INL_H_
#endif

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Four rows of four words become columns. Pitches in bytes.
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void Turn4x4(const uint8_t* in, size_t in_pitch, uint8_t* out, size_t out_pitch) {
  for (size_t r = 0; r < 4; ++r) {
    for (size_t c = 0; c < 4; ++c)
      hwy::CopyBytes<4>(in + r * in_pitch + c * 4, out + c * out_pitch + r * 4);
  }
}
#else
HWY_INLINE void Turn4x4(const uint8_t* in, size_t in_pitch, uint8_t* out, size_t out_pitch) {
  const hn::FixedTag<uint8_t, 16> d1;
  const hn::FixedTag<uint32_t, 4> d;
  const hn::FixedTag<uint64_t, 2> d2;
  const auto row = [&](size_t r) { return hn::BitCast(d, hn::LoadU(d1, in + r * in_pitch)); };
  const auto a = row(0), b = row(1), c = row(2), e = row(3);
  const auto ab_low = hn::BitCast(d2, hn::InterleaveLower(d, a, b));
  const auto ce_low = hn::BitCast(d2, hn::InterleaveLower(d, c, e));
  const auto ab_high = hn::BitCast(d2, hn::InterleaveUpper(d, a, b));
  const auto ce_high = hn::BitCast(d2, hn::InterleaveUpper(d, c, e));
  hn::StoreU(hn::BitCast(d1, hn::InterleaveLower(d2, ab_low, ce_low)), d1, out);
  hn::StoreU(hn::BitCast(d1, hn::InterleaveUpper(d2, ab_low, ce_low)), d1, out + out_pitch);
  hn::StoreU(hn::BitCast(d1, hn::InterleaveLower(d2, ab_high, ce_high)), d1, out + 2 * out_pitch);
  hn::StoreU(hn::BitCast(d1, hn::InterleaveUpper(d2, ab_high, ce_high)), d1, out + 3 * out_pitch);
}
#endif

// rows x columns words become columns x rows. Pitches in bytes; sizes are multiples of 4.
HWY_INLINE void TurnBlock(const void* from, uint32_t rows, size_t in_pitch, uint32_t columns,
                          void* to, size_t out_pitch) {
  const auto* in = static_cast<const uint8_t*>(from);
  auto* out = static_cast<uint8_t*>(to);
  for (uint32_t r = 0; r < rows; r += 4) {
    for (uint32_t c = 0; c < columns; c += 4)
      Turn4x4(in + r * in_pitch + c * 4, in_pitch, out + c * out_pitch + r * 4, out_pitch);
  }
}

// Two rows of 16 two-byte elements become a row of 16 words, the even row's in the low halves.
HWY_INLINE void PairRow(const void* even, const void* odd, void* words) {
  const hn::CappedTag<uint32_t, 16> d;
  const hn::Rebind<uint16_t, decltype(d)> dh;
  const auto* low = static_cast<const uint16_t*>(even);
  const auto* high = static_cast<const uint16_t*>(odd);
  auto* out = static_cast<uint32_t*>(words);
  for (size_t i = 0; i < 16; i += hn::Lanes(d)) {
    const auto upper = hn::ShiftLeft<16>(hn::PromoteTo(d, hn::LoadU(dh, high + i)));
    hn::StoreU(hn::Or(hn::PromoteTo(d, hn::LoadU(dh, low + i)), upper), d, out + i);
  }
}

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // OPKIT_CORE_ISA_CUBE_TURN_INL_H_
