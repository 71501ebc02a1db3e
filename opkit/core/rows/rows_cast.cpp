// Rows of Cast between types that float can carry: load to float lanes, round, store.
// What does not fit (64-bit and 4-bit integers, int32 -> float with a direction) is in
// rows_cast_plain.cpp. Semantics: the vendor's pages "Cast" and "精度转换规则".
#include "opkit/core/rows/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/rows/rows_cast.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "opkit/core/rows/cast_modes.h"
#include "opkit/core/rows/lanes_inl.h"
#include "opkit/core/rows/rows.h"

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {

using FloatTag = hn::ScalableTag<float>;
using FloatVec = hn::Vec<FloatTag>;

// Rounds to a whole number. Highway's portable target loses the sign of 0, so it is put back.
template <uint8_t kMode>
struct RoundWhole {
  static constexpr unsigned kReads = kA;
  template <class V>
  static HWY_INLINE V Whole(V x) {
    if (kMode == kCastFloor) return hn::Floor(x);
    if (kMode == kCastCeil) return hn::Ceil(x);
    if (kMode == kCastTrunc || kMode == kCastRound) return hn::Trunc(x);
    return hn::Round(x);
  }
  template <class D, class V>
  static HWY_INLINE V Apply(D d, V x, V, V, V) {
    const V whole = hn::CopySign(Whole(x), x);
    if (kMode != kCastRound) return whole;
    const auto up = hn::Ge(hn::Abs(hn::Sub(x, whole)), hn::Set(d, 0.5f));
    const V one = hn::CopySign(hn::Set(d, 1.0f), x);
    return hn::IfThenElse(up, hn::Add(whole, one), whole);
  }
};

struct AsIs {
  static constexpr unsigned kReads = kA;
  template <class D, class V>
  static HWY_INLINE V Apply(D, V x, V, V, V) {
    return x;
  }
};

struct TimesScalar {
  static constexpr unsigned kReads = kA | kScalar;
  template <class D, class V>
  static HWY_INLINE V Apply(D, V x, V, V, V s) {
    return hn::Mul(x, s);
  }
};

// Integers in float lanes. Storing saturates; NaN gives 0.
template <typename Int>
struct AsNarrowNumber {
  using T = Int;
  using D = FloatTag;
  static constexpr uint8_t kDType = OPK_DTYPE_UNDEFINED;
  static HWY_INLINE FloatVec Load(const T* p) {
    const hn::Rebind<int32_t, D> di;
    return hn::ConvertTo(D(), hn::PromoteTo(di, hn::LoadU(hn::Rebind<T, D>(), p)));
  }
  static HWY_INLINE void Store(FloatVec v, T* p) {
    const D d;
    constexpr float kLow = static_cast<float>(std::numeric_limits<T>::min());
    constexpr float kHigh = static_cast<float>(std::numeric_limits<T>::max());
    const auto number = hn::IfThenZeroElse(hn::IsNaN(v), v);
    const auto bounded = hn::Min(hn::Max(number, hn::Set(d, kLow)), hn::Set(d, kHigh));
    const auto whole = hn::ConvertTo(hn::Rebind<int32_t, D>(), bounded);
    hn::StoreU(hn::DemoteTo(hn::Rebind<T, D>(), whole), hn::Rebind<T, D>(), p);
  }
  static HWY_INLINE FloatVec Scalar(uint64_t bits) { return AsFloat::Scalar(bits); }
};

struct AsInt32Number {
  using T = int32_t;
  using D = FloatTag;
  static constexpr uint8_t kDType = OPK_INT32;
  static HWY_INLINE FloatVec Load(const T* p) {
    return hn::ConvertTo(D(), hn::LoadU(hn::Rebind<int32_t, D>(), p));
  }
  static HWY_INLINE void Store(FloatVec v, T* p) {
    const D d;
    const hn::Rebind<int32_t, D> di;
    const auto number = hn::IfThenZeroElse(hn::IsNaN(v), v);
    const auto low = hn::Max(number, hn::Set(d, -2147483648.0f));
    const auto whole = hn::ConvertTo(di, hn::Min(low, hn::Set(d, 2147483520.0f)));
    const auto over = hn::RebindMask(di, hn::Ge(number, hn::Set(d, 2147483648.0f)));
    hn::StoreU(hn::IfThenElse(over, hn::Set(di, 2147483647), whole), di, p);
  }
  static HWY_INLINE FloatVec Scalar(uint64_t bits) { return AsFloat::Scalar(bits); }
};

// Whether the kept bits go up by one, for a magnitude whose dropped part is `rest`.
template <uint8_t kMode, class VU, class DU>
HWY_INLINE VU Increment(DU du, VU kept, VU rest, VU middle, VU negative) {
  const VU one = hn::Set(du, 1u), zero = hn::Zero(du);
  const auto inexact = hn::Ne(rest, zero);
  if (kMode == kCastRound) return hn::IfThenElse(hn::Lt(rest, middle), zero, one);
  if (kMode == kCastCeil) return hn::IfThenElseZero(inexact, hn::Xor(negative, one));
  if (kMode == kCastFloor) return hn::IfThenElseZero(inexact, negative);
  if (kMode == kCastTrunc) return zero;
  if (kMode == kCastOdd) return hn::IfThenElseZero(inexact, hn::AndNot(kept, one));
  const VU tie = hn::IfThenElseZero(hn::Eq(rest, middle), hn::And(kept, one));
  return hn::IfThenElse(hn::Gt(rest, middle), one, tie);
}

// The 16 result bits, in 32-bit lanes.
template <uint8_t kMode, class V>
HWY_INLINE hn::Vec<hn::Rebind<uint32_t, FloatTag>> HalfBitsByMode(V value) {
  const hn::Rebind<uint32_t, FloatTag> du;
  const auto bits = hn::BitCast(du, value);
  const auto magnitude = hn::And(bits, hn::Set(du, 0x7fffffffu));
  const auto negative = hn::ShiftRight<31>(bits);
  const auto exponent = hn::ShiftRight<23>(magnitude);
  const auto is_normal = hn::Gt(exponent, hn::Set(du, 112u));
  const auto fraction = hn::And(magnitude, hn::Set(du, 0x7fffffu));
  const auto leading = hn::IfThenElseZero(hn::Ne(exponent, hn::Zero(du)), hn::Set(du, 0x800000u));
  const auto mantissa = hn::Or(fraction, leading);
  const auto deep = hn::Min(hn::Sub(hn::Set(du, 126u), exponent), hn::Set(du, 30u));
  const auto shift = hn::IfThenElse(is_normal, hn::Set(du, 13u), deep);
  const auto base =
      hn::IfThenElseZero(is_normal, hn::ShiftLeft<10>(hn::Sub(exponent, hn::Set(du, 113u))));
  const auto unit = hn::Shl(hn::Set(du, 1u), shift);
  auto kept = hn::Add(base, hn::Shr(mantissa, shift));
  auto rest = hn::And(mantissa, hn::Sub(unit, hn::Set(du, 1u)));
  const auto huge = hn::Gt(magnitude, hn::Set(du, 0x477fffffu));
  kept = hn::IfThenElse(huge, hn::Set(du, 0x7bffu), kept);
  rest = hn::IfThenElse(huge, hn::Set(du, 0x1fffu), rest);
  auto half = hn::Add(kept, Increment<kMode>(du, kept, rest, hn::ShiftRight<1>(unit), negative));
  const auto infinity = hn::Set(du, 0x7f800000u);
  half = hn::IfThenElse(hn::Eq(magnitude, infinity), hn::Set(du, 0x7c00u), half);
  const auto payload =
      hn::Or(hn::Set(du, 0x7e00u), hn::And(hn::ShiftRight<13>(magnitude), hn::Set(du, 0x1ffu)));
  half = hn::IfThenElse(hn::Gt(magnitude, infinity), payload, half);
  return hn::Or(half, hn::ShiftLeft<15>(negative));
}

template <uint8_t kMode, class V>
HWY_INLINE hn::Vec<hn::Rebind<uint32_t, FloatTag>> BFloatBitsByMode(V value) {
  const hn::Rebind<uint32_t, FloatTag> du;
  const auto bits = hn::BitCast(du, value);
  const auto magnitude = hn::And(bits, hn::Set(du, 0x7fffffffu));
  const auto kept = hn::ShiftRight<16>(bits);
  const auto rest = hn::And(bits, hn::Set(du, 0xffffu));
  const auto inc = Increment<kMode>(du, kept, rest, hn::Set(du, 0x8000u), hn::ShiftRight<31>(bits));
  const auto quiet = hn::Or(kept, hn::Set(du, 0x40u));
  return hn::IfThenElse(hn::Gt(magnitude, hn::Set(du, 0x7f800000u)), quiet, hn::Add(kept, inc));
}

template <class VU>
HWY_INLINE void StoreLow16(VU bits, uint16_t* p) {
  const hn::Rebind<int32_t, FloatTag> di;
  const hn::Rebind<uint16_t, FloatTag> dh;
  hn::StoreU(hn::DemoteTo(dh, hn::BitCast(di, bits)), dh, p);
}

template <uint8_t kMode>
struct AsHalfByMode : AsHalf {
  static HWY_INLINE void Store(FloatVec v, T* p) {
    if (kMode == kCastNone || kMode == kCastRint)
      StoreHalf(FloatTag(), v, p);
    else
      StoreLow16(HalfBitsByMode<kMode>(v), p);
  }
};

template <uint8_t kMode>
struct AsBFloatByMode {
  using T = uint16_t;
  using D = FloatTag;
  static constexpr uint8_t kDType = OPK_BFLOAT16;
  static HWY_INLINE FloatVec Load(const T* p) {
    const hn::Rebind<uint32_t, D> du;
    const auto bits = hn::PromoteTo(du, hn::LoadU(hn::Rebind<uint16_t, D>(), p));
    return hn::BitCast(D(), hn::ShiftLeft<16>(bits));
  }
  static HWY_INLINE void Store(FloatVec v, T* p) { StoreLow16(BFloatBitsByMode<kMode>(v), p); }
  static HWY_INLINE FloatVec Scalar(uint64_t bits) { return AsFloat::Scalar(bits << 16); }
};
using AsBFloat = AsBFloatByMode<kCastRint>;

// Picks the instantiation for the context's round mode.
template <template <uint8_t> class Run>
void ByMode(void* dst, const void* a, const void* b, const RowContext& c, size_t n) {
  switch (c.mode) {
    case kCastFloor: return Run<kCastFloor>::Row(dst, a, b, c, n);
    case kCastCeil: return Run<kCastCeil>::Row(dst, a, b, c, n);
    case kCastRound: return Run<kCastRound>::Row(dst, a, b, c, n);
    case kCastTrunc: return Run<kCastTrunc>::Row(dst, a, b, c, n);
    case kCastOdd: return Run<kCastOdd>::Row(dst, a, b, c, n);
    default: return Run<kCastRint>::Row(dst, a, b, c, n);
  }
}

template <class Out, class In, uint8_t kTo, uint8_t kFrom>
struct ToWhole {
  template <uint8_t kMode>
  struct Run {
    static void Row(void* dst, const void* a, const void* b, const RowContext& c, size_t n) {
      if (c.wrap_integers) return plain_cast(kTo, kFrom, dst, a, c, n);
      RunRow<RoundWhole<kMode>, Out, In>(dst, a, b, c, n);
    }
  };
};
template <class In>
struct ToHalf {
  template <uint8_t kMode>
  struct Run {
    static void Row(void* dst, const void* a, const void* b, const RowContext& c, size_t n) {
      RunRow<AsIs, AsHalfByMode<kMode>, In>(dst, a, b, c, n);
    }
  };
};
// float -> float: to a whole number.
struct ToWholeFloat {
  template <uint8_t kMode>
  struct Run {
    static void Row(void* dst, const void* a, const void* b, const RowContext& c, size_t n) {
      RunRow<RoundWhole<kMode>, AsFloat, AsFloat>(dst, a, b, c, n);
    }
  };
};
struct ToBFloat {
  template <uint8_t kMode>
  struct Run {
    static void Row(void* dst, const void* a, const void* b, const RowContext& c, size_t n) {
      RunRow<AsIs, AsBFloatByMode<kMode>, AsFloat>(dst, a, b, c, n);
    }
  };
};

// int32 -> half: the value times the scale of SetDeqScale.
void ScaledToHalf(void* dst, const void* a, const void* b, const RowContext& c, size_t n) {
  RowContext scaled = c;
  std::memcpy(&scaled.scalar[0], &c.deq_scale, sizeof c.deq_scale);
  RunRow<TimesScalar, AsHalf, AsInt32Number>(dst, a, b, scaled, n);
}

Row CastRow(RowFn fn, uint8_t modes, bool saturates = false) {
  Row row;
  row.fn = fn;
  row.sources = 1;
  row.round_modes = modes;
  row.saturates = saturates;
  return row;
}

template <class Out, class In, uint8_t kTo, uint8_t kFrom>
Row Whole(uint8_t modes) {
  return CastRow(&ByMode<ToWhole<Out, In, kTo, kFrom>::template Run>, modes);
}

Row FindToHalf(uint32_t src) {
  switch (src) {
    case OPK_INT8: return CastRow(&RunRow<AsIs, AsHalf, AsNarrowNumber<int8_t>>, kModeNone);
    case OPK_UINT8: return CastRow(&RunRow<AsIs, AsHalf, AsNarrowNumber<uint8_t>>, kModeNone);
    case OPK_INT16: return CastRow(&ByMode<ToHalf<AsNarrowNumber<int16_t>>::Run>, kModesSix);
    case OPK_FLOAT32: return CastRow(&ByMode<ToHalf<AsFloat>::Run>, kModesAll, true);
    case OPK_INT32: return CastRow(&ScaledToHalf, kModesAll, true);
    default: return {};
  }
}

Row FindToFloat(uint32_t src) {
  switch (src) {
    case OPK_FLOAT16: return CastRow(&RunRow<AsIs, AsFloat, AsHalf>, kModeNone);
    case OPK_BFLOAT16: return CastRow(&RunRow<AsIs, AsFloat, AsBFloat>, kModeNone);
    case OPK_INT16: return CastRow(&RunRow<AsIs, AsFloat, AsNarrowNumber<int16_t>>, kModeNone);
    case OPK_FLOAT32: return CastRow(&ByMode<ToWholeFloat::Run>, kModesFive);
    default: return {};
  }
}

Row FindToInteger(uint32_t dst, uint32_t src) {
  using Int16 = AsNarrowNumber<int16_t>;
  if (src == OPK_FLOAT16) {
    switch (dst) {
      case OPK_INT8: return Whole<AsNarrowNumber<int8_t>, AsHalf, OPK_INT8, OPK_FLOAT16>(kModesSix);
      case OPK_UINT8:
        return Whole<AsNarrowNumber<uint8_t>, AsHalf, OPK_UINT8, OPK_FLOAT16>(kModesSix);
      case OPK_INT16: return Whole<Int16, AsHalf, OPK_INT16, OPK_FLOAT16>(kModesFive);
      case OPK_INT32: return Whole<AsInt32Number, AsHalf, OPK_INT32, OPK_FLOAT16>(kModesFive);
      default: return {};
    }
  }
  if (src == OPK_BFLOAT16 && dst == OPK_INT32)
    return Whole<AsInt32Number, AsBFloat, OPK_INT32, OPK_BFLOAT16>(kModesFive);
  if (src == OPK_FLOAT32 && dst == OPK_INT16)
    return Whole<Int16, AsFloat, OPK_INT16, OPK_FLOAT32>(kModesFive);
  if (src == OPK_FLOAT32 && dst == OPK_INT32)
    return Whole<AsInt32Number, AsFloat, OPK_INT32, OPK_FLOAT32>(kModesFive);
  return {};
}

Row FindCast(uint32_t op, uint32_t dst, uint32_t src) {
  if (op != OPK_V_CAST) return {};
  if (dst == OPK_FLOAT16) return FindToHalf(src);
  if (dst == OPK_FLOAT32) return FindToFloat(src);
  if (dst == OPK_BFLOAT16 && src == OPK_FLOAT32)
    return CastRow(&ByMode<ToBFloat::Run>, kModesFive, true);
  return FindToInteger(dst, src);
}

// int32 -> float to nearest even, for the plain row that handles the other modes.
void NearestFloats(float* dst, const int32_t* src, size_t n) {
  RunRow<AsIs, AsFloat, AsInt32Number>(dst, src, src, {}, n);
}

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace opkit::core {

HWY_EXPORT(FindCast);
HWY_EXPORT(NearestFloats);

Row find_cast_row(uint32_t op, uint32_t dst, uint32_t src) {
  const Row row = HWY_DYNAMIC_DISPATCH(FindCast)(op, dst, src);
  return row.fn ? row : find_plain_cast_row(op, dst, src);
}

void nearest_floats(float* dst, const int32_t* src, size_t n) {
  HWY_DYNAMIC_DISPATCH(NearestFloats)(dst, src, n);
}

}  // namespace opkit::core
#endif
