// Rows of integer arithmetic and bit operations. Overflow wraps.
#include "opkit/core/rows/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/rows/rows_integer.cpp"
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

struct IntAdd {
  OPKIT_APPLY(kA | kB) { return hn::Add(a, b); }
};
struct IntSub {
  OPKIT_APPLY(kA | kB) { return hn::Sub(a, b); }
};
struct IntMul {
  OPKIT_APPLY(kA | kB) { return hn::Mul(a, b); }
};
struct IntMax {
  OPKIT_APPLY(kA | kB) { return hn::Max(a, b); }
};
struct IntMin {
  OPKIT_APPLY(kA | kB) { return hn::Min(a, b); }
};
struct IntAnd {
  OPKIT_APPLY(kA | kB) { return hn::And(a, b); }
};
struct IntOr {
  OPKIT_APPLY(kA | kB) { return hn::Or(a, b); }
};
struct IntXor {
  OPKIT_APPLY(kA | kB) { return hn::Xor(a, b); }
};
struct IntNot {
  OPKIT_APPLY(kA) { return hn::Not(a); }
};
struct IntRelu {
  OPKIT_APPLY(kA) { return hn::Max(a, hn::Zero(d)); }
};
struct IntAddRelu {
  OPKIT_APPLY(kA | kB) { return hn::Max(hn::Add(a, b), hn::Zero(d)); }
};
struct IntSubRelu {
  OPKIT_APPLY(kA | kB) { return hn::Max(hn::Sub(a, b), hn::Zero(d)); }
};
struct IntAdds {
  OPKIT_APPLY(kA | kScalar) { return hn::Add(a, s); }
};
struct IntMuls {
  OPKIT_APPLY(kA | kScalar) { return hn::Mul(a, s); }
};
struct IntMaxs {
  OPKIT_APPLY(kA | kScalar) { return hn::Max(a, s); }
};
struct IntMins {
  OPKIT_APPLY(kA | kScalar) { return hn::Min(a, s); }
};
#undef OPKIT_APPLY

// Shifts: every lane by the scalar. A distance of the width and more leaves nothing, or the sign,
// which signed types keep in both directions (pages "ShiftLeft", "ShiftRight").
// Plain loops: the compiler turns them into register-wide shifts.
template <typename T>
void ShiftLeftRow(void* dst_bytes, const void* a_bytes, const void*, const RowContext& context,
                  size_t n) {
  auto* dst = static_cast<T*>(dst_bytes);
  auto* a = static_cast<const T*>(a_bytes);
  const uint64_t distance = context.scalar[0];
  const bool gone = distance >= 8 * sizeof(T);
  const int by = gone ? 0 : static_cast<int>(distance);
  using Bits = std::make_unsigned_t<T>;
  constexpr Bits kAll = static_cast<Bits>(~Bits{0});
  constexpr Bits kMoved = std::is_signed_v<T> ? kAll >> 1 : kAll;
  const Bits moved = gone ? Bits{0} : kMoved;
  for (size_t i = 0; i < n; ++i) {
    const auto bits = static_cast<Bits>(a[i]);
    const uint32_t shifted = uint32_t{bits} << by;
    dst[i] = static_cast<T>((shifted & moved) | (bits & static_cast<Bits>(~kMoved)));
  }
}

// flags bit 0: round half up by adding the last bit that is shifted out (roundEn, which does
// nothing to unsigned types).
template <typename T>
void ShiftRightRow(void* dst_bytes, const void* a_bytes, const void*, const RowContext& context,
                   size_t n) {
  auto* dst = static_cast<T*>(dst_bytes);
  auto* a = static_cast<const T*>(a_bytes);
  using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
  const uint64_t distance = context.scalar[0];
  const int by = distance > 40 ? 40 : static_cast<int>(distance);
  const bool rounds = std::is_signed_v<T> && (context.flags & 1) && by > 0;
  const Wide up = rounds ? Wide{1} << (by - 1) : 0;
  for (size_t i = 0; i < n; ++i) dst[i] = static_cast<T>((static_cast<Wide>(a[i]) + up) >> by);
}

Row Shift(RowFn fn, size_t bytes) {
  Row row;
  row.fn = fn;
  row.sources = 1;
  row.most_scalar = static_cast<uint8_t>(8 * bytes);
  return row;
}

template <class Io>
Row FindArithmetic(uint32_t op) {
  switch (op) {
    case OPK_V_ADD: return MakeRow<IntAdd, Io, Io>();
    case OPK_V_SUB: return MakeRow<IntSub, Io, Io>();
    case OPK_V_MUL: return MakeRow<IntMul, Io, Io>();
    case OPK_V_MAX: return MakeRow<IntMax, Io, Io>();
    case OPK_V_MIN: return MakeRow<IntMin, Io, Io>();
    case OPK_V_ADDS: return MakeRow<IntAdds, Io, Io>();
    case OPK_V_MULS: return MakeRow<IntMuls, Io, Io>();
    case OPK_V_MAXS: return MakeRow<IntMaxs, Io, Io>();
    case OPK_V_MINS: return MakeRow<IntMins, Io, Io>();
    default: return {};
  }
}

template <class Io>
Row FindBits(uint32_t op) {
  switch (op) {
    case OPK_V_AND: return MakeRow<IntAnd, Io, Io>();
    case OPK_V_OR: return MakeRow<IntOr, Io, Io>();
    case OPK_V_XOR: return MakeRow<IntXor, Io, Io>();
    case OPK_V_NOT: return MakeRow<IntNot, Io, Io>();
    default: return {};
  }
}

template <typename T>
Row FindShift(uint32_t op) {
  if (op == OPK_V_SHIFT_LEFT) return Shift(&ShiftLeftRow<T>, sizeof(T));
  if (op == OPK_V_SHIFT_RIGHT) return Shift(&ShiftRightRow<T>, sizeof(T));
  return {};
}

Row FirstOf(Row a, Row b, Row c) { return a.fn ? a : b.fn ? b : c; }

Row FindInteger(uint32_t op, uint32_t dst, uint32_t src) {
  if (dst != src) return {};
  switch (dst) {
    case OPK_INT16:
      if (op == OPK_V_ADD_RELU) return MakeRow<IntAddRelu, AsInt16, AsInt16>();
      if (op == OPK_V_SUB_RELU) return MakeRow<IntSubRelu, AsInt16, AsInt16>();
      return FirstOf(FindArithmetic<AsInt16>(op), FindBits<AsUint16>(op), FindShift<int16_t>(op));
    case OPK_UINT16: return FirstOf(FindBits<AsUint16>(op), FindShift<uint16_t>(op), {});
    case OPK_INT32:
      if (op == OPK_V_RELU) return MakeRow<IntRelu, AsInt32, AsInt32>();
      return FirstOf(FindArithmetic<AsInt32>(op), FindShift<int32_t>(op), {});
    case OPK_UINT32: return FindShift<uint32_t>(op);
    default: return {};
  }
}

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace opkit::core {

HWY_EXPORT(FindInteger);

Row find_integer_row(uint32_t op, uint32_t dst, uint32_t src) {
  return HWY_DYNAMIC_DISPATCH(FindInteger)(op, dst, src);
}

}  // namespace opkit::core
#endif
