// Rows of Exp and Ln in float: at most 1 unit in the last place off (the conformance suite holds
// them to 2). half is computed in float and rounded once. The polynomials are least-squares fits of
// our own in the named intervals.
#include "opkit/core/rows/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/rows/rows_math.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "opkit/core/rows/lanes_inl.h"
#include "opkit/core/rows/rows.h"

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {

// Coefficients from the highest power down.
template <class D, class V, size_t N>
HWY_INLINE V Horner(D d, V x, const float (&c)[N]) {
  V sum = hn::Set(d, c[0]);
  for (size_t i = 1; i < N; ++i) sum = hn::Add(hn::Mul(sum, x), hn::Set(d, c[i]));
  return sum;
}

// 2^n for whole n in [-126, 127].
template <class D, class VI>
HWY_INLINE hn::Vec<D> PowerOfTwo(D d, VI n) {
  const hn::Rebind<int32_t, D> di;
  return hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(n, hn::Set(di, 127))));
}

// m * 2^n for m in [0.7, 1.42) and whole n in [-160, 128], as one product rounds it. Hosts take
// some hundred cycles for a product that underflows, so results that may be subnormal are counted
// in units of 2^-149: their count is their bits.
template <class D, class V, class VI>
HWY_INLINE V Scale(D d, V m, VI n) {
  const hn::Rebind<int32_t, D> di;
  const VI least = hn::Set(di, -125);
  const V normal =
      hn::Mul(hn::Add(m, m), PowerOfTwo(d, hn::Sub(hn::Max(n, least), hn::Set(di, 1))));
  const auto tiny = hn::Lt(n, least);
  if (HWY_LIKELY(hn::AllFalse(di, tiny))) return normal;
  const V units = hn::Mul(m, PowerOfTwo(d, hn::Add(hn::Min(n, least), hn::Set(di, 149))));
  return hn::IfThenElse(hn::RebindMask(d, tiny), hn::BitCast(d, hn::NearestInt(units)), normal);
}

// e^x = 2^n * e^r with |r| <= ln(2)/2; e^r = 1 + r + r^2 P(r).
struct ExpRow {
  static constexpr unsigned kReads = kA;
  template <class D, class V>
  static HWY_INLINE V Apply(D d, V x, V, V, V) {
    static constexpr float kP[] = {0.00019914133446f, 0.0013946201805f, 0.0083332724421f,
                                   0.041666267582f,   0.16666666824f,   0.50000000789f};
    const hn::Rebind<int32_t, D> di;
    // Beyond these the result is inf or 0 anyway; NaN passes through the arithmetic below.
    const V bounded = hn::Min(hn::Max(x, hn::Set(d, -110.0f)), hn::Set(d, 88.8f));
    // Whole numbers in the low bits of floats of this size, rounded to the nearest.
    const V push = hn::Set(d, 12582912.0f);
    const V pushed = hn::Add(hn::Mul(bounded, hn::Set(d, 1.44269504089f)), push);
    const V n = hn::Sub(pushed, push);
    // ln(2) in two parts, the first short enough that n times it is exact.
    const V high = hn::Sub(bounded, hn::Mul(n, hn::Set(d, 0.693359375f)));
    const V r = hn::Sub(high, hn::Mul(n, hn::Set(d, -2.12194440054690583e-4f)));
    const V p = hn::Mul(hn::Mul(r, r), Horner(d, r, kP));
    const V mantissa = hn::Add(hn::Set(d, 1.0f), hn::Add(r, p));
    const auto whole = hn::Sub(hn::BitCast(di, pushed), hn::BitCast(di, push));
    const V scaled = Scale(d, mantissa, whole);
    return hn::IfThenElse(hn::IsNaN(x), x, scaled);
  }
};

// x = 2^e * m, m in [sqrt(1/2), sqrt(2)); ln(m) = f - f^2/2 + f^3 Q(f) with f = m - 1.
struct LnRow {
  static constexpr unsigned kReads = kA;
  template <class D, class V>
  static HWY_INLINE V Apply(D d, V x, V, V, V) {
    static constexpr float kQ[] = {0.06913946166f,  -0.11789081798f, 0.11873230907f,
                                   -0.12384489679f, 0.14218641459f,  -0.16669242066f,
                                   0.20002227163f,  -0.24999986767f, 0.33333310431f};
    const hn::Rebind<int32_t, D> di;
    const auto is_tiny = hn::Lt(x, hn::Set(d, 1.17549435e-38f));
    const V scaled = hn::IfThenElse(is_tiny, hn::Mul(x, hn::Set(d, 8388608.0f)), x);
    const auto bits = hn::BitCast(di, scaled);
    // Subtracting the bits of sqrt(1/2) makes the exponent field change at sqrt(2).
    const auto shifted = hn::Sub(bits, hn::Set(di, 0x3f3504f3));
    auto exponent = hn::ShiftRight<23>(shifted);
    const auto m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(exponent)));
    exponent = hn::Sub(exponent, hn::IfThenElseZero(hn::RebindMask(di, is_tiny), hn::Set(di, 23)));
    const V f = hn::Sub(m, hn::Set(d, 1.0f));
    const V e = hn::ConvertTo(d, exponent);
    const V square = hn::Mul(f, f);
    V rest = hn::Mul(hn::Mul(square, f), Horner(d, f, kQ));
    rest = hn::Add(rest, hn::Mul(e, hn::Set(d, -2.12194440054690583e-4f)));
    rest = hn::Sub(rest, hn::Mul(square, hn::Set(d, 0.5f)));
    V result = hn::Add(hn::Add(f, rest), hn::Mul(e, hn::Set(d, 0.693359375f)));
    const V inf = hn::Inf(d);
    result = hn::IfThenElse(hn::Eq(x, inf), inf, result);
    result = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(inf), result);
    result = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::NaN(d), result);
    return hn::IfThenElse(hn::IsNaN(x), x, result);
  }
};

Row FindMath(uint32_t op, uint32_t dst, uint32_t src) {
  if (dst != src) return {};
  if (dst == OPK_FLOAT32 && op == OPK_V_EXP) return MakeRow<ExpRow, AsFloat, AsFloat>();
  if (dst == OPK_FLOAT16 && op == OPK_V_EXP) return MakeRow<ExpRow, AsHalf, AsHalf>();
  if (dst == OPK_FLOAT32 && op == OPK_V_LN) return MakeRow<LnRow, AsFloat, AsFloat>();
  if (dst == OPK_FLOAT16 && op == OPK_V_LN) return MakeRow<LnRow, AsHalf, AsHalf>();
  return {};
}

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace opkit::core {

HWY_EXPORT(FindMath);

Row find_math_row(uint32_t op, uint32_t dst, uint32_t src) {
  return HWY_DYNAMIC_DISPATCH(FindMath)(op, dst, src);
}

}  // namespace opkit::core
#endif
