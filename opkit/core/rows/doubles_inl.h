// Double lanes for the functions behind the advanced API: how floats and halves come and go, and
// series of exponentials, logarithms, trigonometry and error functions that are good to about
// 1e-10. Included by rows_*.cpp under foreach_target.h, so the guard toggles. The error function's
// coefficients are least-squares fits of our own.
#if defined(OPKIT_CORE_ROWS_DOUBLES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef OPKIT_CORE_ROWS_DOUBLES_INL_H_
#undef OPKIT_CORE_ROWS_DOUBLES_INL_H_
#else
#define OPKIT_CORE_ROWS_DOUBLES_INL_H_
#endif

#include <cmath>

#include "opkit/core/rows/lanes_inl.h"

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {

using DD = hn::ScalableTag<double>;
using DV = hn::Vec<DD>;
using DU = hn::Rebind<uint64_t, DD>;
using DHalfWidth = hn::Rebind<float, DD>;

HWY_INLINE DV C(double value) { return hn::Set(DD(), value); }

// Highway's portable target turns inf into the largest float.
HWY_INLINE hn::Vec<DHalfWidth> NarrowD(DV v) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(DHalfWidth(), static_cast<float>(hn::GetLane(v)));
#else
  return hn::DemoteTo(DHalfWidth(), v);
#endif
}

// Float and half in double lanes.
struct AsWideFloat {
  using T = float;
  using D = DD;
  static constexpr uint8_t kDType = OPK_FLOAT32;
  static HWY_INLINE DV Load(const T* p) { return hn::PromoteTo(D(), hn::LoadU(DHalfWidth(), p)); }
  static HWY_INLINE void Store(DV v, T* p) { hn::StoreU(NarrowD(v), DHalfWidth(), p); }
  static HWY_INLINE DV Scalar(uint64_t) { return hn::Zero(D()); }
};
struct AsWideHalf {
  using T = uint16_t;
  using D = DD;
  static constexpr uint8_t kDType = OPK_FLOAT16;
  static HWY_INLINE DV Load(const T* p) { return hn::PromoteTo(D(), LoadHalf(DHalfWidth(), p)); }
  static HWY_INLINE void Store(DV v, T* p) { StoreHalf(DHalfWidth(), NarrowD(v), p); }
  static HWY_INLINE DV Scalar(uint64_t) { return hn::Zero(D()); }
};

template <size_t N>
HWY_INLINE DV Poly(DV x, const double (&c)[N]) {
  DV sum = C(c[0]);
  for (size_t i = 1; i < N; ++i) sum = hn::Add(hn::Mul(sum, x), C(c[i]));
  return sum;
}

// Rounds to a whole number by pushing the fraction out of the mantissa; the low bits of `raw` are
// the number in two's complement.
struct WholePart {
  DV value;
  hn::Vec<DU> raw;
};
HWY_INLINE WholePart WholeOf(DV x) {
  const DV shifted = hn::Add(x, C(6755399441055744.0));
  return {hn::Sub(shifted, C(6755399441055744.0)), hn::BitCast(DU(), shifted)};
}

// e^x; inf above 110 and 0 below -110, where no float result can tell.
HWY_INLINE DV ExpD(DV x) {
  static constexpr double kSeries[] = {1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                                       1.0 / 720,     1.0 / 120,    1.0 / 24,    1.0 / 6,
                                       0.5,           1.0,          1.0};
  const DV bounded = hn::Min(hn::Max(x, C(-120.0)), C(120.0));
  const WholePart n = WholeOf(hn::Mul(bounded, C(1.4426950408889634)));
  const DV high = hn::Sub(bounded, hn::Mul(n.value, C(0.6931471803691238)));
  const DV r = hn::Sub(high, hn::Mul(n.value, C(1.9082149292705877e-10)));
  const auto power = hn::BitCast(DD(), hn::ShiftLeft<52>(hn::Add(n.raw, hn::Set(DU(), 1023u))));
  DV result = hn::Mul(Poly(r, kSeries), power);
  result = hn::IfThenElse(hn::Gt(x, C(110.0)), hn::Inf(DD()), result);
  result = hn::IfThenElse(hn::Lt(x, C(-110.0)), hn::Zero(DD()), result);
  return hn::IfThenElse(hn::IsNaN(x), x, result);
}

// ln(x) = e ln(2) + 2 atanh((m - 1) / (m + 1)), m in [sqrt(1/2), sqrt(2)). Not for double
// subnormals.
HWY_INLINE DV LogD(DV x) {
  static constexpr double kSeries[] = {2.0 / 15, 2.0 / 13, 2.0 / 11, 2.0 / 9,
                                       2.0 / 7,  2.0 / 5,  2.0 / 3,  2.0};
  const auto bits = hn::BitCast(DU(), x);
  const auto field = hn::ShiftRight<52>(bits);
  DV e = hn::Sub(hn::BitCast(DD(), hn::Or(field, hn::Set(DU(), 0x4330000000000000u))),
                 C(4503599627370496.0 + 1023.0));
  const auto fraction = hn::And(bits, hn::Set(DU(), 0x000fffffffffffffu));
  DV m = hn::BitCast(DD(), hn::Or(fraction, hn::Set(DU(), 0x3ff0000000000000u)));
  const auto large = hn::Gt(m, C(1.4142135623730951));
  m = hn::IfThenElse(large, hn::Mul(m, C(0.5)), m);
  e = hn::IfThenElse(large, hn::Add(e, C(1.0)), e);
  const DV s = hn::Div(hn::Sub(m, C(1.0)), hn::Add(m, C(1.0)));
  DV result = hn::Add(hn::Mul(s, Poly(hn::Mul(s, s), kSeries)), hn::Mul(e, C(0.6931471805599453)));
  result = hn::IfThenElse(hn::Eq(x, hn::Inf(DD())), x, result);
  result = hn::IfThenElse(hn::Eq(x, hn::Zero(DD())), hn::Neg(hn::Inf(DD())), result);
  result = hn::IfThenElse(hn::Lt(x, hn::Zero(DD())), hn::NaN(DD()), result);
  return hn::IfThenElse(hn::IsNaN(x), x, result);
}

struct SineCosine {
  DV sine, cosine;
};
// Computes both for |x| below about 1e6: x = n pi/2 + r, |r| <= pi/4.
HWY_INLINE SineCosine SinCosD(DV x) {
  static constexpr double kSin[] = {-1.0 / 39916800, 1.0 / 362880, -1.0 / 5040,
                                    1.0 / 120,       -1.0 / 6,     1.0};
  static constexpr double kCos[] = {1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720,
                                    1.0 / 24,        -0.5,           1.0};
  const WholePart n = WholeOf(hn::Mul(x, C(0.6366197723675814)));
  // pi/2 in three parts of 33 bits, so that n times a part is exact.
  DV r = hn::Sub(x, hn::Mul(n.value, C(1.5707963267341256)));
  r = hn::Sub(r, hn::Mul(n.value, C(6.077100506303966e-11)));
  r = hn::Sub(r, hn::Mul(n.value, C(2.0222662487959506e-21)));
  const DV z = hn::Mul(r, r);
  const DV s = hn::Mul(r, Poly(z, kSin)), c = Poly(z, kCos);
  const auto one = hn::Set(DU(), 1u);
  const auto odd = hn::MaskFromVec(hn::BitCast(DD(), hn::Sub(hn::Zero(DU()), hn::And(n.raw, one))));
  const auto sign_s = hn::ShiftLeft<63>(hn::And(hn::ShiftRight<1>(n.raw), one));
  const auto sign_c = hn::ShiftLeft<63>(hn::And(hn::ShiftRight<1>(hn::Add(n.raw, one)), one));
  return {hn::Xor(hn::IfThenElse(odd, c, s), hn::BitCast(DD(), sign_s)),
          hn::Xor(hn::IfThenElse(odd, s, c), hn::BitCast(DD(), sign_c))};
}

// Huge arguments need more bits of pi than the three parts have: the C library does those lanes.
template <double (*kExact)(double)>
HWY_INLINE DV FixHuge(DV x, DV result) {
  const auto huge = hn::Not(hn::Le(hn::Abs(x), C(1.0e6)));
  if (HWY_LIKELY(hn::AllFalse(DD(), huge))) return result;
  HWY_ALIGN double in[HWY_MAX_BYTES / 8], out[HWY_MAX_BYTES / 8];
  hn::Store(x, DD(), in);
  hn::Store(result, DD(), out);
  for (size_t i = 0; i < hn::Lanes(DD()); ++i) {
    if (!(std::fabs(in[i]) <= 1.0e6)) out[i] = kExact(in[i]);
  }
  return hn::Load(DD(), out);
}

HWY_INLINE DV AtanD(DV x) {
  static constexpr double kSeries[] = {1.0 / 25,  -1.0 / 23, 1.0 / 21,  -1.0 / 19, 1.0 / 17,
                                       -1.0 / 15, 1.0 / 13,  -1.0 / 11, 1.0 / 9,   -1.0 / 7,
                                       1.0 / 5,   -1.0 / 3,  1.0};
  const DV a = hn::Abs(x);
  const auto large = hn::Gt(a, C(1.0));
  const DV b = hn::IfThenElse(large, hn::Div(C(1.0), a), a);
  const auto middle = hn::Gt(b, C(0.41421356237309503));
  const DV z = hn::IfThenElse(middle, hn::Div(hn::Sub(b, C(1.0)), hn::Add(b, C(1.0))), b);
  DV y = hn::Mul(z, Poly(hn::Mul(z, z), kSeries));
  y = hn::IfThenElse(middle, hn::Add(y, C(0.7853981633974483)), y);
  y = hn::IfThenElse(large, hn::Sub(C(1.5707963267948966), y), y);
  return hn::IfThenElse(hn::IsNaN(x), x, hn::CopySign(y, x));
}

// erfc(x) for x >= 1.
HWY_INLINE DV ErfcTail(DV x) {
  static constexpr double kP[] = {
      -0.0610408364410733833, 0.302834077140642446,  -0.535058957312999353, 0.338826968577570244,
      -0.070592344578594883,  0.221947856277977536,  0.237946148611570869,  0.283192153009275569,
      0.282016956599518678,   2.41242692934989341e-6};
  const DV t = hn::Div(C(1.0), hn::Add(C(1.0), hn::Mul(x, C(0.5))));
  return hn::Mul(ExpD(hn::Neg(hn::Mul(x, x))), Poly(t, kP));
}
// erf(x) for |x| <= 1.
HWY_INLINE DV ErfCentre(DV x) {
  static constexpr double kP[] = {
      1.05629193024584637e-6,   -0.0000138986773625622384, 0.000119548150756013286,
      -0.000854248865105971364, 0.0052237763932350364,     -0.0268661314059482681,
      0.112837912853338805,     -0.376126388885022128,     1.12837916709458559};
  return hn::Mul(x, Poly(hn::Mul(x, x), kP));
}

// Highway's portable target loses the sign of a zero that it rounds to.
HWY_INLINE DV FloorD(DV x) { return hn::CopySign(hn::Floor(x), x); }
HWY_INLINE DV CeilD(DV x) { return hn::CopySign(hn::Ceil(x), x); }
HWY_INLINE DV RoundD(DV x) { return hn::CopySign(hn::Round(x), x); }
HWY_INLINE DV TruncD(DV x) { return hn::CopySign(hn::Trunc(x), x); }

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
