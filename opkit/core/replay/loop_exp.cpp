#include "opkit/core/replay/loop_exp.h"

#include <cstddef>

namespace opkit::core {
namespace {

using Op = LaneOp;

// Predicates of vcmpps.
enum : uint8_t { kIsEqual = 0, kIsNan = 3, kIsLess = 0x11 };

template <size_t N>
ValueId horner(ValueId x, const float (&c)[N], BodyWriter& to) {
  ValueId sum = to.add(Op::kMul, x, to.number(c[0]));
  for (size_t i = 1; i + 1 < N; ++i)
    sum = to.add(Op::kMul, to.add(Op::kAdd, sum, to.number(c[i])), x);
  return to.add(Op::kAdd, sum, to.number(c[N - 1]));
}

}  // namespace

ValueId exp_lanes(ValueId x, BodyWriter& to) {
  static constexpr float kP[] = {0.00019914133446f, 0.0013946201805f, 0.0083332724421f,
                                 0.041666267582f,   0.16666666824f,   0.50000000789f};
  const ValueId bounded =
      to.add(Op::kMinRaw, to.add(Op::kMaxRaw, x, to.number(-110.0f)), to.number(88.8f));
  const ValueId push = to.number(12582912.0f);
  const ValueId pushed =
      to.add(Op::kAdd, to.add(Op::kMul, bounded, to.number(1.44269504089f)), push);
  const ValueId n = to.add(Op::kSub, pushed, push);
  const ValueId high = to.add(Op::kSub, bounded, to.add(Op::kMul, n, to.number(0.693359375f)));
  const ValueId r =
      to.add(Op::kSub, high, to.add(Op::kMul, n, to.number(-2.12194440054690583e-4f)));
  const ValueId p = to.add(Op::kMul, to.add(Op::kMul, r, r), horner(r, kP, to));
  const ValueId mantissa = to.add(Op::kAdd, to.add(Op::kAdd, r, p), to.number(1.0f));
  // Whole numbers n have their exponent's bits from the low bits of `pushed`.
  const ValueId whole = to.add(Op::kSubInt, pushed, push);
  const ValueId least = to.bits(static_cast<uint32_t>(-125));
  const ValueId exponent = to.add(Op::kAddInt, to.add(Op::kMaxInt, whole, least), to.bits(126));
  const ValueId power = to.add(Op::kShiftLeft, exponent, kNoValue, 23);
  const ValueId normal = to.add(Op::kMul, to.add(Op::kAdd, mantissa, mantissa), power);
  return to.select(kIsNan, x, x, x, to.tiny(normal, mantissa, whole));
}

ValueId ln_lanes(ValueId x, BodyWriter& to) {
  static constexpr float kQ[] = {0.06913946166f,  -0.11789081798f, 0.11873230907f,
                                 -0.12384489679f, 0.14218641459f,  -0.16669242066f,
                                 0.20002227163f,  -0.24999986767f, 0.33333310431f};
  constexpr uint32_t kInfinity = 0x7f800000, kNan = 0x7fffffff;
  const ValueId small = to.number(1.17549435e-38f), zero = to.bits(0);
  const ValueId scaled =
      to.select(kIsLess, x, small, to.add(Op::kMul, x, to.number(8388608.0f)), x);
  const ValueId shifted = to.add(Op::kSubInt, scaled, to.bits(0x3f3504f3));
  const ValueId raised = to.add(Op::kShiftRight, shifted, kNoValue, 23);
  const ValueId m = to.add(Op::kSubInt, scaled, to.add(Op::kShiftLeft, raised, kNoValue, 23));
  const ValueId lower = to.add(Op::kSubInt, raised, to.bits(23));
  const ValueId exponent = to.select(kIsLess, x, small, lower, raised);
  const ValueId f = to.add(Op::kSub, m, to.number(1.0f));
  const ValueId e = to.add(Op::kToFloat, exponent);
  const ValueId square = to.add(Op::kMul, f, f);
  ValueId rest = to.add(Op::kMul, to.add(Op::kMul, square, f), horner(f, kQ, to));
  rest = to.add(Op::kAdd, rest, to.add(Op::kMul, e, to.number(-2.12194440054690583e-4f)));
  rest = to.add(Op::kSub, rest, to.add(Op::kMul, square, to.number(0.5f)));
  ValueId result =
      to.add(Op::kAdd, to.add(Op::kAdd, f, rest), to.add(Op::kMul, e, to.number(0.693359375f)));
  result = to.select(kIsEqual, x, to.bits(kInfinity), to.bits(kInfinity), result);
  result = to.select(kIsEqual, x, zero, to.bits(kInfinity | 0x80000000u), result);
  result = to.select(kIsLess, x, zero, to.bits(kNan), result);
  return to.select(kIsNan, x, x, x, result);
}

}  // namespace opkit::core
