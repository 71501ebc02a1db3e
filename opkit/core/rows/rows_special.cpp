// Rows of the functions behind the advanced API: exponentials, logarithms, trigonometry, error
// functions, powers. Computed in double lanes with series that are good to about 1e-10, so that the
// float result is within 1 unit in the last place and the half result is correctly rounded but for
// ties. The error function's coefficients are least-squares fits of our own.
#include <cmath>

#include "opkit/core/rows/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/rows/rows_special.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "opkit/core/rows/lanes_inl.h"
#include "opkit/core/rows/rows.h"

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

#define OPKIT_SPECIAL(Name)                                               \
  struct Name {                                                           \
    static constexpr unsigned kReads = kA;                                \
    static HWY_INLINE DV Apply(DD, DV x, DV, DV, DV) { return Value(x); } \
    static HWY_INLINE DV Value(DV x);                                     \
  };                                                                      \
  HWY_INLINE DV Name::Value(DV x)

OPKIT_SPECIAL(SigmoidOf) { return hn::Div(C(1.0), hn::Add(C(1.0), ExpD(hn::Neg(x)))); }
OPKIT_SPECIAL(TanhOf) {
  static constexpr double kSmall[] = {2.0 / 15, -1.0 / 3, 1.0};
  const DV e = ExpD(hn::Mul(hn::Abs(x), C(-2.0)));
  const DV large = hn::CopySign(hn::Div(hn::Sub(C(1.0), e), hn::Add(C(1.0), e)), x);
  const DV small = hn::Mul(x, Poly(hn::Mul(x, x), kSmall));
  const DV y = hn::IfThenElse(hn::Lt(hn::Abs(x), C(0.01)), small, large);
  return hn::IfThenElse(hn::IsNaN(x), x, y);
}
OPKIT_SPECIAL(ErfOf) {
  const DV a = hn::Abs(x);
  const DV tail = hn::CopySign(hn::Sub(C(1.0), ErfcTail(hn::Max(a, C(1.0)))), x);
  return hn::IfThenElse(hn::IsNaN(x), x, hn::IfThenElse(hn::Le(a, C(1.0)), ErfCentre(x), tail));
}
OPKIT_SPECIAL(ErfcOf) {
  const DV a = hn::Abs(x);
  const DV tail = ErfcTail(hn::Max(a, C(1.0)));
  const DV outer = hn::IfThenElse(hn::Lt(x, hn::Zero(DD())), hn::Sub(C(2.0), tail), tail);
  const DV y = hn::IfThenElse(hn::Le(a, C(1.0)), hn::Sub(C(1.0), ErfCentre(x)), outer);
  return hn::IfThenElse(hn::IsNaN(x), x, y);
}
OPKIT_SPECIAL(SinOf) { return FixHuge<std::sin>(x, SinCosD(x).sine); }
OPKIT_SPECIAL(CosOf) { return FixHuge<std::cos>(x, SinCosD(x).cosine); }
OPKIT_SPECIAL(TanOf) {
  const SineCosine sc = SinCosD(x);
  return FixHuge<std::tan>(x, hn::Div(sc.sine, sc.cosine));
}
OPKIT_SPECIAL(AtanOf) { return AtanD(x); }
OPKIT_SPECIAL(AsinOf) {
  const DV rest = hn::Mul(hn::Sub(C(1.0), x), hn::Add(C(1.0), x));
  return AtanD(hn::Div(x, hn::Sqrt(rest)));
}
OPKIT_SPECIAL(AcosOf) {
  const DV ratio = hn::Div(hn::Sub(C(1.0), x), hn::Add(C(1.0), x));
  const DV y = hn::Mul(C(2.0), AtanD(hn::Sqrt(ratio)));
  return hn::IfThenElse(hn::Gt(hn::Abs(x), C(1.0)), hn::NaN(DD()), y);
}
OPKIT_SPECIAL(SinhOf) {
  static constexpr double kSmall[] = {1.0 / 5040, 1.0 / 120, 1.0 / 6, 1.0};
  const DV e = ExpD(hn::Abs(x));
  const DV large = hn::CopySign(hn::Mul(C(0.5), hn::Sub(e, hn::Div(C(1.0), e))), x);
  const DV small = hn::Mul(x, Poly(hn::Mul(x, x), kSmall));
  return hn::IfThenElse(hn::Lt(hn::Abs(x), C(0.1)), small, large);
}
OPKIT_SPECIAL(CoshOf) {
  const DV e = ExpD(hn::Abs(x));
  return hn::Mul(C(0.5), hn::Add(e, hn::Div(C(1.0), e)));
}
OPKIT_SPECIAL(AsinhOf) {
  static constexpr double kSmall[] = {-15.0 / 336, 3.0 / 40, -1.0 / 6, 1.0};
  const DV a = hn::Abs(x), square = hn::Mul(x, x);
  const DV large = hn::CopySign(LogD(hn::Add(a, hn::Sqrt(hn::Add(square, C(1.0))))), x);
  return hn::IfThenElse(hn::Lt(a, C(0.02)), hn::Mul(x, Poly(square, kSmall)), large);
}
OPKIT_SPECIAL(AcoshOf) {
  const DV rest = hn::Mul(hn::Sub(x, C(1.0)), hn::Add(x, C(1.0)));
  const DV y = LogD(hn::Add(x, hn::Sqrt(rest)));
  return hn::IfThenElse(hn::Lt(x, C(1.0)), hn::NaN(DD()), y);
}
OPKIT_SPECIAL(AtanhOf) {
  static constexpr double kSmall[] = {1.0 / 7, 1.0 / 5, 1.0 / 3, 1.0};
  const DV large = hn::Mul(C(0.5), LogD(hn::Div(hn::Add(C(1.0), x), hn::Sub(C(1.0), x))));
  const DV small = hn::Mul(x, Poly(hn::Mul(x, x), kSmall));
  return hn::IfThenElse(hn::Lt(hn::Abs(x), C(0.02)), small, large);
}
OPKIT_SPECIAL(Log2Of) { return hn::Mul(LogD(x), C(1.4426950408889634)); }
OPKIT_SPECIAL(Log10Of) { return hn::Mul(LogD(x), C(0.4342944819032518)); }
OPKIT_SPECIAL(FloorOf) { return FloorD(x); }
OPKIT_SPECIAL(CeilOf) { return CeilD(x); }
OPKIT_SPECIAL(RoundOf) { return RoundD(x); }
OPKIT_SPECIAL(RintOf) { return RoundD(x); }
OPKIT_SPECIAL(TruncOf) { return TruncD(x); }
OPKIT_SPECIAL(FracOf) { return hn::Sub(x, hn::Trunc(x)); }
OPKIT_SPECIAL(SignOf) {
  const DV one = hn::CopySign(C(1.0), x), zero = hn::Zero(DD());
  return hn::IfThenElse(hn::Or(hn::IsNaN(x), hn::Eq(x, zero)), zero, one);
}
#undef OPKIT_SPECIAL

// x^y as C's pow defines it.
struct PowerOf {
  static constexpr unsigned kReads = kA | kB;
  static HWY_INLINE DV Apply(DD, DV x, DV y, DV, DV) {
    const DV zero = hn::Zero(DD()), one = C(1.0);
    const DV magnitude = ExpD(hn::Mul(y, LogD(hn::Abs(x))));
    const auto whole = hn::Eq(hn::Floor(y), y);
    const DV half = hn::Mul(y, C(0.5));
    const auto odd = hn::AndNot(hn::Eq(hn::Floor(half), half), whole);
    const DV negative = hn::IfThenElse(odd, hn::Neg(magnitude), magnitude);
    const auto below = hn::Lt(x, zero);
    DV r = hn::IfThenElse(hn::Or(below, hn::And(hn::Eq(x, zero), odd)),
                          hn::CopySign(negative, hn::IfThenElse(odd, x, one)), magnitude);
    const auto finite_x = hn::Lt(hn::Abs(x), hn::Inf(DD()));
    r = hn::IfThenElse(hn::And(hn::And(below, finite_x), hn::Not(whole)), hn::NaN(DD()), r);
    const auto ones = hn::And(hn::Eq(hn::Abs(x), one), hn::Eq(hn::Abs(y), hn::Inf(DD())));
    r = hn::IfThenElse(hn::Or(hn::Or(hn::Eq(x, one), hn::Eq(y, zero)), ones), one, r);
    const auto unordered = hn::AndNot(hn::Eq(x, one), hn::IsNaN(y));
    return hn::IfThenElse(unordered, y, r);
  }
};

// By the C library, element by element: the remainder of huge quotients and the gamma functions.
template <class Io, double (*kFunction)(double, double)>
void LibraryRow(void* dst, const void* a, const void* b, const RowContext&, size_t n) {
  const size_t lanes = hn::Lanes(DD());
  HWY_ALIGN typename Io::T in_a[HWY_MAX_BYTES / 8] = {}, in_b[HWY_MAX_BYTES / 8] = {};
  HWY_ALIGN typename Io::T out[HWY_MAX_BYTES / 8];
  HWY_ALIGN double x[HWY_MAX_BYTES / 8], y[HWY_MAX_BYTES / 8];
  for (size_t i = 0; i < n; i += lanes) {
    const size_t part = n - i < lanes ? n - i : lanes;
    std::memcpy(in_a, static_cast<const typename Io::T*>(a) + i, part * sizeof(in_a[0]));
    std::memcpy(in_b, static_cast<const typename Io::T*>(b) + i, part * sizeof(in_b[0]));
    hn::Store(Io::Load(in_a), DD(), x);
    hn::Store(Io::Load(in_b), DD(), y);
    for (size_t k = 0; k < lanes; ++k) x[k] = kFunction(x[k], y[k]);
    Io::Store(hn::Load(DD(), x), out);
    std::memcpy(static_cast<typename Io::T*>(dst) + i, out, part * sizeof(out[0]));
  }
}

inline double LgammaOf(double x, double) {
  int sign;
  return ::lgamma_r(x, &sign);
}
// Recurrence up to 10, then the asymptotic series; reflection for negative arguments.
inline double DigammaOf(double x, double) {
  if (x <= 0 && std::floor(x) == x) return NAN;
  if (x < 0) return DigammaOf(1 - x, 0) - 3.141592653589793 / std::tan(3.141592653589793 * x);
  double sum = 0;
  for (; x < 10; x += 1) sum -= 1 / x;
  const double z = 1 / (x * x);
  return sum + std::log(x) - 0.5 / x -
         z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - z / 132))));
}

Row LibraryRowOf(RowFn fn, uint8_t sources, bool saturates) {
  Row row;
  row.fn = fn;
  row.sources = sources;
  row.saturates = saturates;
  return row;
}

template <class Io>
Row FindSpecialFor(uint32_t op) {
  constexpr bool kHalf = Io::kDType == OPK_FLOAT16;
  switch (op) {
    case OPK_V_SIGMOID: return MakeRow<SigmoidOf, Io, Io>();
    case OPK_V_TANH: return MakeRow<TanhOf, Io, Io>();
    case OPK_V_ERF: return MakeRow<ErfOf, Io, Io>();
    case OPK_V_ERFC: return MakeRow<ErfcOf, Io, Io>();
    case OPK_V_SIN: return MakeRow<SinOf, Io, Io>();
    case OPK_V_COS: return MakeRow<CosOf, Io, Io>();
    case OPK_V_TAN: return MakeRow<TanOf, Io, Io>();
    case OPK_V_ASIN: return MakeRow<AsinOf, Io, Io>();
    case OPK_V_ACOS: return MakeRow<AcosOf, Io, Io>();
    case OPK_V_ATAN: return MakeRow<AtanOf, Io, Io>();
    case OPK_V_SINH: return MakeRow<SinhOf, Io, Io>();
    case OPK_V_COSH: return MakeRow<CoshOf, Io, Io>();
    case OPK_V_ASINH: return MakeRow<AsinhOf, Io, Io>();
    case OPK_V_ACOSH: return MakeRow<AcoshOf, Io, Io>();
    case OPK_V_ATANH: return MakeRow<AtanhOf, Io, Io>();
    case OPK_V_LOG2: return MakeRow<Log2Of, Io, Io>();
    case OPK_V_LOG10: return MakeRow<Log10Of, Io, Io>();
    case OPK_V_FLOOR: return MakeRow<FloorOf, Io, Io>();
    case OPK_V_CEIL: return MakeRow<CeilOf, Io, Io>();
    case OPK_V_ROUND: return MakeRow<RoundOf, Io, Io>();
    case OPK_V_RINT: return MakeRow<RintOf, Io, Io>();
    case OPK_V_TRUNC: return MakeRow<TruncOf, Io, Io>();
    case OPK_V_FRAC: return MakeRow<FracOf, Io, Io>();
    case OPK_V_SIGN: return MakeRow<SignOf, Io, Io>();
    case OPK_V_POWER: return MakeRow<PowerOf, Io, Io>();
    case OPK_V_LGAMMA: return LibraryRowOf(&LibraryRow<Io, LgammaOf>, 1, kHalf);
    case OPK_V_DIGAMMA: return LibraryRowOf(&LibraryRow<Io, DigammaOf>, 1, kHalf);
    case OPK_V_FMOD: return LibraryRowOf(&LibraryRow<Io, std::fmod>, 2, kHalf);
    default: return {};
  }
}

Row FindSpecial(uint32_t op, uint32_t dst, uint32_t src) {
  if (dst != src) return {};
  if (dst == OPK_FLOAT32) return FindSpecialFor<AsWideFloat>(op);
  if (dst == OPK_FLOAT16) return FindSpecialFor<AsWideHalf>(op);
  return {};
}

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace opkit::core {
namespace {

// int32 powers wrap; a negative exponent leaves 1, -1 or 0.
void power_int32(void* dst, const void* a, const void* b, const RowContext&, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    auto base = static_cast<uint32_t>(static_cast<const int32_t*>(a)[i]);
    int32_t e = static_cast<const int32_t*>(b)[i];
    uint32_t result = 1;
    if (e < 0) {
      result = base == 1 ? 1u : base == ~0u ? (e % 2 ? ~0u : 1u) : 0u;
    } else {
      for (; e > 0; e >>= 1, base *= base) result *= e & 1 ? base : 1u;
    }
    static_cast<int32_t*>(dst)[i] = static_cast<int32_t>(result);
  }
}

}  // namespace

HWY_EXPORT(FindSpecial);

Row find_special_row(uint32_t op, uint32_t dst, uint32_t src) {
  if (op == OPK_V_POWER && dst == OPK_INT32 && src == OPK_INT32) {
    Row row;
    row.fn = power_int32;
    row.sources = 2;
    return row;
  }
  return HWY_DYNAMIC_DISPATCH(FindSpecial)(op, dst, src);
}

}  // namespace opkit::core
#endif
