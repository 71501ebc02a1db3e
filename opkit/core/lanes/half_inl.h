// Halves in float lanes, inf and NaN included, which Highway's own conversions take for large
// numbers on targets without F16C. Included once per SIMD target, so the guard toggles.
#if defined(OPKIT_CORE_LANES_HALF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef OPKIT_CORE_LANES_HALF_INL_H_
#undef OPKIT_CORE_LANES_HALF_INL_H_
#else
#define OPKIT_CORE_LANES_HALF_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Bits per lane are those of float: conversions by integer arithmetic, for targets without F16C.
template <class DF, class V>
HWY_INLINE hn::Vec<hn::Rebind<uint32_t, DF>> HalfBitsOf(DF df, V value) {
  const hn::Rebind<uint32_t, DF> du;
  const auto bits = hn::BitCast(du, value);
  const auto magnitude = hn::And(bits, hn::Set(du, 0x7fffffffu));
  const auto sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 0x8000u));
  // Normal: rebias and round the 13 dropped bits to nearest even by a carry.
  const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(du, 1u));
  const auto rebased = hn::Sub(magnitude, hn::Set(du, 0x38000000u));
  const auto normal = hn::ShiftRight<13>(hn::Add(rebased, hn::Add(odd, hn::Set(du, 0xfffu))));
  // Subnormal: adding 0.5 leaves the wanted bits, rounded, at the end of the mantissa.
  const auto shifted = hn::Add(hn::BitCast(df, magnitude), hn::Set(df, 0.5f));
  const auto tiny = hn::Sub(hn::BitCast(du, shifted), hn::Set(du, 0x3f000000u));
  auto half = hn::IfThenElse(hn::Lt(magnitude, hn::Set(du, 0x38800000u)), tiny, normal);
  half = hn::IfThenElse(hn::Gt(magnitude, hn::Set(du, 0x477fffffu)), hn::Set(du, 0x7c00u), half);
  const auto payload =
      hn::Or(hn::Set(du, 0x7e00u), hn::And(hn::ShiftRight<13>(magnitude), hn::Set(du, 0x1ffu)));
  half = hn::IfThenElse(hn::Gt(magnitude, hn::Set(du, 0x7f800000u)), payload, half);
  return hn::Or(half, sign);
}

template <class DF, class VU>
HWY_INLINE hn::Vec<DF> FloatOfHalfBits(DF df, VU half) {
  const hn::Rebind<uint32_t, DF> du;
  const auto sign = hn::ShiftLeft<16>(hn::And(half, hn::Set(du, 0x8000u)));
  const auto magnitude = hn::ShiftLeft<13>(hn::And(half, hn::Set(du, 0x7fffu)));
  const auto normal = hn::Add(magnitude, hn::Set(du, 0x38000000u));
  // A subnormal is an integer times 2^-24.
  const auto tiny =
      hn::BitCast(du, hn::Mul(hn::ConvertTo(df, hn::BitCast(hn::Rebind<int32_t, DF>(),
                                                            hn::And(half, hn::Set(du, 0x3ffu)))),
                              hn::Set(df, 5.9604644775390625e-8f)));
  auto bits = hn::IfThenElse(hn::Lt(magnitude, hn::Set(du, 0x00800000u)), tiny, normal);
  bits = hn::IfThenElse(hn::Gt(magnitude, hn::Set(du, 0x0f7fffffu)),
                        hn::Or(magnitude, hn::Set(du, 0x7f800000u)), bits);
  // A signalling NaN becomes quiet, as the hardware conversion does.
  bits = hn::IfThenElse(hn::Gt(magnitude, hn::Set(du, 0x0f800000u)),
                        hn::Or(bits, hn::Set(du, 0x00400000u)), bits);
  return hn::BitCast(df, hn::Or(bits, sign));
}

template <class DF>
HWY_INLINE hn::Vec<DF> LoadHalf(DF df, const uint16_t* p) {
#if HWY_TARGET <= HWY_AVX2
  const hn::Rebind<hwy::float16_t, DF> dh;
  return hn::PromoteTo(df, hn::LoadU(dh, reinterpret_cast<const hwy::float16_t*>(p)));
#else
  const hn::Rebind<uint32_t, DF> du;
  return FloatOfHalfBits(df, hn::PromoteTo(du, hn::LoadU(hn::Rebind<uint16_t, DF>(), p)));
#endif
}

// Rounds to nearest even.
template <class DF, class V>
HWY_INLINE void StoreHalf(DF df, V value, uint16_t* p) {
#if HWY_TARGET <= HWY_AVX2
  const hn::Rebind<hwy::float16_t, DF> dh;
  hn::StoreU(hn::DemoteTo(dh, value), dh, reinterpret_cast<hwy::float16_t*>(p));
#else
  const hn::Rebind<int32_t, DF> di;
  const hn::Rebind<uint16_t, DF> dh;
  hn::StoreU(hn::DemoteTo(dh, hn::BitCast(di, HalfBitsOf(df, value))), dh, p);
#endif
}

// A float rounded to what half can hold.
template <class DF, class V>
HWY_INLINE hn::Vec<DF> RoundToHalf(DF df, V value) {
#if HWY_TARGET <= HWY_AVX2
  const hn::Rebind<hwy::float16_t, DF> dh;
  return hn::PromoteTo(df, hn::DemoteTo(dh, value));
#else
  return FloatOfHalfBits(df, HalfBitsOf(df, value));
#endif
}

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // OPKIT_CORE_LANES_HALF_INL_H_
