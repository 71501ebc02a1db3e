// Rows of float and half arithmetic, and of half and float mixed.
// half is computed in float and rounded once, which is exact for + - * / and sqrt.
#include "opkit/core/rows/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/rows/rows_arith.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "opkit/core/rows/lanes_inl.h"
#include "opkit/core/rows/rows.h"

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {

#define OPKIT_APPLY(reads)                                                                    \
  static constexpr unsigned kReads = reads;                                                   \
  template <class D, class V>                                                                 \
  static HWY_INLINE V Apply([[maybe_unused]] D d, [[maybe_unused]] V a, [[maybe_unused]] V b, \
                            [[maybe_unused]] V old, [[maybe_unused]] V s)

// NaN wins, so that it propagates; the second of equal operands wins.
template <class V>
HWY_INLINE V MaxOf(V a, V b) {
  return hn::IfThenElse(hn::Or(hn::IsNaN(a), hn::Gt(a, b)), a, b);
}
template <class V>
HWY_INLINE V MinOf(V a, V b) {
  return hn::IfThenElse(hn::Or(hn::IsNaN(a), hn::Lt(a, b)), a, b);
}
// max(x, +0); NaN stays.
template <class D, class V>
HWY_INLINE V ReluOf(D d, V x) {
  return hn::IfThenZeroElse(hn::Le(x, hn::Zero(d)), x);
}

struct Add {
  static constexpr bool kFolds = true;
  OPKIT_APPLY(kA | kB) { return hn::Add(a, b); }
};
struct Sub {
  static constexpr bool kFolds = true;
  OPKIT_APPLY(kA | kB) { return hn::Sub(a, b); }
};
struct Mul {
  static constexpr bool kFolds = true;
  OPKIT_APPLY(kA | kB) { return hn::Mul(a, b); }
};
struct Div {
  static constexpr bool kFolds = true;
  OPKIT_APPLY(kA | kB) { return hn::Div(a, b); }
};
struct Max {
  static constexpr bool kFolds = true;
  OPKIT_APPLY(kA | kB) { return MaxOf(a, b); }
};
struct Min {
  static constexpr bool kFolds = true;
  OPKIT_APPLY(kA | kB) { return MinOf(a, b); }
};
struct AddRelu {
  OPKIT_APPLY(kA | kB) { return ReluOf(d, hn::Add(a, b)); }
};
struct SubRelu {
  OPKIT_APPLY(kA | kB) { return ReluOf(d, hn::Sub(a, b)); }
};
struct MulAddDst {
  static constexpr bool kFolds = true;
  OPKIT_APPLY(kA | kB | kOld) { return hn::Add(hn::Mul(a, b), old); }
};
struct FusedMulAdd {
  OPKIT_APPLY(kA | kB | kOld) { return hn::Add(hn::Mul(a, old), b); }
};
struct FusedMulAddRelu {
  OPKIT_APPLY(kA | kB | kOld) { return ReluOf(d, hn::Add(hn::Mul(a, old), b)); }
};
struct Adds {
  OPKIT_APPLY(kA | kScalar) { return hn::Add(a, s); }
};
struct Muls {
  OPKIT_APPLY(kA | kScalar) { return hn::Mul(a, s); }
};
struct Maxs {
  OPKIT_APPLY(kA | kScalar) { return MaxOf(a, s); }
};
struct Mins {
  OPKIT_APPLY(kA | kScalar) { return MinOf(a, s); }
};
struct LeakyRelu {
  OPKIT_APPLY(kA | kScalar) { return hn::IfThenElse(hn::Ge(a, hn::Zero(d)), a, hn::Mul(a, s)); }
};
struct Axpy {
  OPKIT_APPLY(kA | kOld | kScalar) { return hn::Add(hn::Mul(a, s), old); }
};
struct Abs {
  OPKIT_APPLY(kA) { return hn::Abs(a); }
};
struct Relu {
  OPKIT_APPLY(kA) { return ReluOf(d, a); }
};
struct Sqrt {
  OPKIT_APPLY(kA) { return hn::Sqrt(a); }
};
struct Rsqrt {
  OPKIT_APPLY(kA) { return hn::Div(hn::Set(d, 1.0f), hn::Sqrt(a)); }
};
struct Reciprocal {
  OPKIT_APPLY(kA) { return hn::Div(hn::Set(d, 1.0f), a); }
};

template <class Io>
Row FindSame(uint32_t op) {
  switch (op) {
    case OPK_V_ADD: return MakeRow<Add, Io, Io>();
    case OPK_V_SUB: return MakeRow<Sub, Io, Io>();
    case OPK_V_MUL: return MakeRow<Mul, Io, Io>();
    case OPK_V_DIV: return MakeRow<Div, Io, Io>();
    case OPK_V_MAX: return MakeRow<Max, Io, Io>();
    case OPK_V_MIN: return MakeRow<Min, Io, Io>();
    case OPK_V_ADD_RELU: return MakeRow<AddRelu, Io, Io>();
    case OPK_V_SUB_RELU: return MakeRow<SubRelu, Io, Io>();
    case OPK_V_MUL_ADD_DST: return MakeRow<MulAddDst, Io, Io>();
    case OPK_V_FUSED_MUL_ADD: return MakeRow<FusedMulAdd, Io, Io>();
    case OPK_V_FUSED_MUL_ADD_RELU: return MakeRow<FusedMulAddRelu, Io, Io>();
    case OPK_V_ADDS: return MakeRow<Adds, Io, Io>();
    case OPK_V_MULS: return MakeRow<Muls, Io, Io>();
    case OPK_V_MAXS: return MakeRow<Maxs, Io, Io>();
    case OPK_V_MINS: return MakeRow<Mins, Io, Io>();
    case OPK_V_LEAKY_RELU: return MakeRow<LeakyRelu, Io, Io>();
    case OPK_V_AXPY: return MakeRow<Axpy, Io, Io>();
    case OPK_V_ABS: return MakeRow<Abs, Io, Io>();
    case OPK_V_RELU: return MakeRow<Relu, Io, Io>();
    case OPK_V_SQRT: return MakeRow<Sqrt, Io, Io>();
    case OPK_V_RSQRT: return MakeRow<Rsqrt, Io, Io>();
    case OPK_V_RECIPROCAL: return MakeRow<Reciprocal, Io, Io>();
    default: return {};
  }
}

Row FindArith(uint32_t op, uint32_t dst, uint32_t src) {
  if (dst == OPK_FLOAT32 && src == OPK_FLOAT32) return FindSame<AsFloat>(op);
  if (dst == OPK_FLOAT16 && src == OPK_FLOAT16) return FindSame<AsHalf>(op);
  if (dst == OPK_FLOAT32 && src == OPK_FLOAT16) {
    if (op == OPK_V_MUL_ADD_DST) return MakeRow<MulAddDst, AsFloat, AsHalf>();
    if (op == OPK_V_AXPY) return MakeRow<Axpy, AsFloat, AsHalf>();
  }
  return {};
}

#undef OPKIT_APPLY

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace opkit::core {

HWY_EXPORT(FindArith);

Row find_arith_row(uint32_t op, uint32_t dst, uint32_t src) {
  return HWY_DYNAMIC_DISPATCH(FindArith)(op, dst, src);
}

}  // namespace opkit::core
#endif
