#include "opkit/core/replay/loop_math.h"

#include "opkit/abi/num/half.h"
#include "opkit/core/replay/loop_exp.h"
#include "opkit/core/rows/cast_modes.h"

namespace opkit::core {
namespace {

using Op = LaneOp;

// Predicates of vcmpps.
enum : uint8_t { kUnordered = 3, kAtLeast = 0x1d };
// Directions of vroundps, without exceptions.
enum : uint8_t { kNearest = 8, kDown = 9, kUp = 10, kTowardZero = 11 };

constexpr uint32_t kSign = 0x80000000u;

bool reads_scalar(uint16_t op) {
  switch (op) {
    case OPK_V_ADDS:
    case OPK_V_MULS:
    case OPK_V_MAXS:
    case OPK_V_MINS:
    case OPK_V_LEAKY_RELU:
    case OPK_V_AXPY:
    case OPK_V_DUPLICATE: return true;
    default: return false;
  }
}

// Operands of x86 can be exchanged where one of them is a number, and constants come second here.
float scalar_of(const ProgramStep& s) {
  const auto bits = static_cast<uint32_t>(s.context.scalar[0]);
  const bool half = s.src_dtype == OPK_FLOAT16;
  return half ? num_detail::half_bits_to_float(static_cast<uint16_t>(bits))
              : __builtin_bit_cast(float, bits);
}

bool knows_float(uint16_t op) {
  switch (op) {
    case OPK_V_ABS:
    case OPK_V_EXP:
    case OPK_V_LN:
    case OPK_V_SQRT:
    case OPK_V_RSQRT:
    case OPK_V_RECIPROCAL:
    case OPK_V_RELU:
    case OPK_V_ADD:
    case OPK_V_SUB:
    case OPK_V_MUL:
    case OPK_V_DIV:
    case OPK_V_MAX:
    case OPK_V_MIN:
    case OPK_V_ADD_RELU:
    case OPK_V_SUB_RELU:
    case OPK_V_MUL_ADD_DST:
    case OPK_V_FUSED_MUL_ADD:
    case OPK_V_FUSED_MUL_ADD_RELU: return true;
    default: return reads_scalar(op);
  }
}

bool knows_integer(uint16_t op, bool is_signed) {
  switch (op) {
    case OPK_V_ADD:
    case OPK_V_SUB:
    case OPK_V_MUL:
    case OPK_V_ADDS:
    case OPK_V_MULS:
    case OPK_V_DUPLICATE: return true;
    case OPK_V_MAX:
    case OPK_V_MIN:
    case OPK_V_MAXS:
    case OPK_V_MINS:
    case OPK_V_RELU: return is_signed;
    default: return false;
  }
}

bool is_nearest(uint8_t mode) { return mode == kCastNone || mode == kCastRint; }

// The only steps with bfloat16.
bool knows_bfloat_cast(const ProgramStep& s) {
  const uint8_t mode = s.context.mode;
  if (s.dtype == OPK_FLOAT32) return s.src_dtype == OPK_BFLOAT16;
  return s.dtype == OPK_BFLOAT16 && s.src_dtype == OPK_FLOAT32 && is_nearest(mode);
}

bool knows_cast(const ProgramStep& s) {
  const uint8_t mode = s.context.mode;
  const bool from_float = s.src_dtype == OPK_FLOAT32, from_half = s.src_dtype == OPK_FLOAT16;
  switch (s.dtype) {
    case OPK_FLOAT16:
      if (s.src_dtype == OPK_INT32) return s.context.deq_scale == s.context.deq_scale;
      return from_float && is_nearest(mode);
    case OPK_FLOAT32:
      if (s.src_dtype == OPK_INT32) return is_nearest(mode);
      return from_half || (from_float && mode <= kCastTrunc);
    case OPK_INT32:
      return (from_float || from_half) && mode <= kCastTrunc && !s.context.wrap_integers;
    default: return false;
  }
}

// Arithmetic of halves and floats, with what a step reads in float lanes.
class FloatLanes {
 public:
  FloatLanes(const ProgramStep& s, const StepLanes& in, BodyWriter& to)
      : s_(s), a_(in.a), b_(in.b), old_(in.old), to_(to) {}

  ValueId value() const {
    switch (s_.op) {
      case OPK_V_ADD: return to_.add(Op::kAdd, a_, b_);
      case OPK_V_SUB: return to_.add(Op::kSub, a_, b_);
      case OPK_V_MUL: return to_.add(Op::kMul, a_, b_);
      case OPK_V_DIV: return to_.add(Op::kDiv, a_, b_);
      case OPK_V_MAX: return to_.add(Op::kMaxNan, a_, b_);
      case OPK_V_MIN: return to_.add(Op::kMinNan, a_, b_);
      case OPK_V_ADD_RELU: return relu(to_.add(Op::kAdd, a_, b_));
      case OPK_V_SUB_RELU: return relu(to_.add(Op::kSub, a_, b_));
      case OPK_V_MUL_ADD_DST: return to_.add(Op::kAdd, to_.add(Op::kMul, a_, b_), old_);
      case OPK_V_FUSED_MUL_ADD: return to_.add(Op::kAdd, to_.add(Op::kMul, a_, old_), b_);
      case OPK_V_FUSED_MUL_ADD_RELU:
        return relu(to_.add(Op::kAdd, to_.add(Op::kMul, a_, old_), b_));
      default: return reads_scalar(s_.op) ? with_scalar() : of_one();
    }
  }

 private:
  ValueId relu(ValueId x) const { return to_.add(Op::kRelu, x); }

  ValueId with_scalar() const {
    const ValueId scalar = to_.number(scalar_of(s_));
    switch (s_.op) {
      case OPK_V_ADDS: return to_.add(Op::kAdd, a_, scalar);
      case OPK_V_MULS: return to_.add(Op::kMul, a_, scalar);
      case OPK_V_MAXS: return to_.add(Op::kMaxNan, a_, scalar);
      case OPK_V_MINS: return to_.add(Op::kMinNan, a_, scalar);
      case OPK_V_LEAKY_RELU:
        return to_.select(kAtLeast, a_, to_.bits(0), a_, to_.add(Op::kMul, a_, scalar));
      case OPK_V_AXPY: return to_.add(Op::kAdd, to_.add(Op::kMul, a_, scalar), old_);
      default: return scalar;  // Duplicate
    }
  }

  ValueId of_one() const {
    switch (s_.op) {
      case OPK_V_ABS: return to_.add(Op::kAnd, a_, to_.bits(~kSign));
      case OPK_V_RELU: return relu(a_);
      case OPK_V_SQRT: return to_.add(Op::kSqrt, a_);
      case OPK_V_RSQRT: return to_.add(Op::kDiv, to_.number(1.0f), to_.add(Op::kSqrt, a_));
      case OPK_V_RECIPROCAL: return to_.add(Op::kDiv, to_.number(1.0f), a_);
      case OPK_V_EXP: return exp_lanes(a_, to_);
      case OPK_V_LN: return ln_lanes(a_, to_);
      default: return kNoValue;
    }
  }

  const ProgramStep& s_;
  ValueId a_, b_, old_;
  BodyWriter& to_;
};

ValueId integer_lanes(const ProgramStep& s, const StepLanes& in, BodyWriter& to) {
  const auto scalar = [&] { return to.bits(static_cast<uint32_t>(s.context.scalar[0])); };
  switch (s.op) {
    case OPK_V_ADD: return to.add(Op::kAddInt, in.a, in.b);
    case OPK_V_SUB: return to.add(Op::kSubInt, in.a, in.b);
    case OPK_V_MUL: return to.add(Op::kMulInt, in.a, in.b);
    case OPK_V_MAX: return to.add(Op::kMaxInt, in.a, in.b);
    case OPK_V_MIN: return to.add(Op::kMinInt, in.a, in.b);
    case OPK_V_ADDS: return to.add(Op::kAddInt, in.a, scalar());
    case OPK_V_MULS: return to.add(Op::kMulInt, in.a, scalar());
    case OPK_V_MAXS: return to.add(Op::kMaxInt, in.a, scalar());
    case OPK_V_MINS: return to.add(Op::kMinInt, in.a, scalar());
    case OPK_V_RELU: return to.add(Op::kMaxInt, in.a, to.bits(0));
    default: return scalar();  // Duplicate
  }
}

ValueId whole_lanes(ValueId x, uint8_t mode, BodyWriter& to) {
  switch (mode) {
    case kCastFloor: return to.add(Op::kRound, x, kNoValue, kDown);
    case kCastCeil: return to.add(Op::kRound, x, kNoValue, kUp);
    case kCastTrunc: return to.add(Op::kRound, x, kNoValue, kTowardZero);
    case kCastRound: break;
    default: return to.add(Op::kRound, x, kNoValue, kNearest);
  }
  const ValueId whole = to.add(Op::kRound, x, kNoValue, kTowardZero);
  const ValueId rest = to.add(Op::kAnd, to.add(Op::kSub, x, whole), to.bits(~kSign));
  const ValueId sign = to.add(Op::kAnd, x, to.bits(kSign));
  const ValueId one = to.add(Op::kAddInt, sign, to.number(1.0f));
  return to.select(kAtLeast, rest, to.number(0.5f), to.add(Op::kAdd, whole, one), whole);
}

// Saturates; NaN gives 0.
ValueId saturated_int32(ValueId x, BodyWriter& to) {
  const ValueId number = to.select(kUnordered, x, x, to.bits(0), x);
  const ValueId low = to.add(Op::kMaxRaw, number, to.number(-2147483648.0f));
  const ValueId whole = to.add(Op::kToInt, to.add(Op::kMinRaw, low, to.number(2147483520.0f)));
  return to.select(kAtLeast, number, to.number(2147483648.0f), to.bits(0x7fffffff), whole);
}

ValueId cast_lanes(const ProgramStep& s, ValueId x, BodyWriter& to) {
  const bool from_int = s.src_dtype == OPK_INT32;
  if (s.dtype == OPK_INT32) return saturated_int32(whole_lanes(x, s.context.mode, to), to);
  if (from_int && s.dtype == OPK_FLOAT16)
    return to.add(Op::kMul, to.add(Op::kToFloat, x), to.number(s.context.deq_scale));
  if (from_int) return to.add(Op::kToFloat, x);
  const bool rounds = s.dtype == OPK_FLOAT32 && s.src_dtype == OPK_FLOAT32;
  return rounds ? whole_lanes(x, s.context.mode, to) : x;
}

bool is_float_type(uint8_t dtype) { return dtype == OPK_FLOAT32 || dtype == OPK_FLOAT16; }

bool is_word_type(uint8_t dtype) {
  return dtype == OPK_FLOAT32 || dtype == OPK_INT32 || dtype == OPK_UINT32;
}

}  // namespace

bool knows_step(const ProgramStep& s) {
  if (s.op == OPK_V_CAST) return knows_cast(s) || knows_bfloat_cast(s);
  if (s.op == OPK_V_COPY) return s.dtype == s.src_dtype && is_word_type(s.dtype);
  const bool mixes = s.dtype == OPK_FLOAT32 && s.src_dtype == OPK_FLOAT16;
  if (mixes && s.op != OPK_V_MUL_ADD_DST && s.op != OPK_V_AXPY) return false;
  if (!mixes && s.dtype != s.src_dtype) return false;
  if (!is_float_type(s.dtype))
    return is_word_type(s.dtype) && knows_integer(s.op, s.dtype == OPK_INT32);
  const float scalar = scalar_of(s);
  return knows_float(s.op) && !(reads_scalar(s.op) && scalar != scalar);
}

// NaN stays one, and quiet, with what fits of its payload.
ValueId bfloat_of_lanes(ValueId x, BodyWriter& to) {
  const ValueId kept = to.add(Op::kShiftDown, x, kNoValue, 16);
  const ValueId odd = to.add(Op::kAnd, kept, to.bits(1));
  const ValueId raised = to.add(Op::kAddInt, to.add(Op::kAddInt, x, odd), to.bits(0x7fff));
  const ValueId rounded = to.add(Op::kShiftDown, raised, kNoValue, 16);
  const ValueId quiet = to.add(Op::kOr, kept, to.bits(0x40));
  return to.add(Op::kToLow, to.select(kUnordered, x, x, quiet, rounded));
}

ValueId lanes_of_step(const ProgramStep& s, const StepLanes& in, BodyWriter& to) {
  if (s.op == OPK_V_CAST) return cast_lanes(s, in.a, to);
  if (s.op == OPK_V_COPY) return in.a;
  if (!is_float_type(s.dtype)) return integer_lanes(s, in, to);
  return FloatLanes(s, in, to).value();
}

}  // namespace opkit::core
