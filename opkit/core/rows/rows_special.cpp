// Rows of the functions behind the advanced API: exponentials, logarithms, trigonometry, error
// functions, powers. Computed in double lanes (doubles_inl.h), so that the float result is within 1
// unit in the last place and the half result is correctly rounded but for ties.
#include <cmath>

#include "opkit/core/rows/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/rows/rows_special.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "opkit/core/rows/doubles_inl.h"
#include "opkit/core/rows/rows.h"

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {

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
