// LoopBody: what a group of joined steps does to one register of lanes, over and over: operations
// on values that live in registers, with loads and stores only where other steps see the bytes.
#ifndef OPKIT_CORE_REPLAY_LOOP_BODY_H_
#define OPKIT_CORE_REPLAY_LOOP_BODY_H_

#include <cstdint>
#include <vector>

namespace opkit::core {

using ValueId = uint16_t;
constexpr ValueId kNoValue = 0xffff;

// Operations of the host on 32-bit lanes. "Raw" ones have the rules of x86's instruction for NaN
// and equal operands: the second operand is the result. Only the operands that an operation names
// are read.
enum class LaneOp : uint8_t {
  kLoad,        // to = the next lanes of `stream`
  kStore,       // the next lanes of `stream` = a
  kAdd,         // a + b
  kSub,         // a - b
  kMul,         // a * b
  kDiv,         // a / b
  kMaxRaw,      // a > b ? a : b
  kMinRaw,      // a < b ? a : b
  kMaxNan,      // isnan(a) or a > b ? a : b
  kMinNan,      // isnan(a) or a < b ? a : b
  kRelu,        // a <= 0 ? +0 : a
  kSqrt,        // takes the square root of a
  kRound,       // a rounded to a whole number in direction `how`, an x86 rounding
  kAnd,         // bits of a and of b
  kOr,          // bits of a or of b
  kAddInt,      // a + b, as integers
  kSubInt,      // a - b
  kMulInt,      // a * b, the low bits
  kMaxInt,      // the larger, signed
  kMinInt,      // the smaller, signed
  kShiftLeft,   // a by `how` bits
  kShiftRight,  // a by `how` bits, with its sign
  kShiftDown,   // a by `how` bits, with zeros
  kToFloat,     // a, an integer, as a float, to nearest even
  kToInt,       // a, a float, as an integer, to nearest even
  kSelect,      // (a `how` b) ? c : d, `how` an x86 predicate of floats
  kTiny,        // a, but where the integer c is below -125: bits of the integer nearest to
                // b * 2^(c + 149)
  kToHalf,      // a as 16 bits of a half, to nearest even
  kFromHalf,    // a, 16 bits of a half, as a float
  kFinite,      // a, 16 bits, with the largest number for infinity and 0 for NaN; how 0: a half;
                // 1: a bfloat16
  kToLow,       // the low 16 bits of a, which holds none above
  kFromBFloat   // a, 16 bits of a bfloat16, as a float
};

struct LaneStep {
  LaneOp op = LaneOp::kLoad;
  uint8_t how = 0;
  uint16_t stream = 0;
  ValueId to = kNoValue, a = kNoValue, b = kNoValue, c = kNoValue, d = kNoValue;

  bool operator==(const LaneStep&) const = default;
};

// Bytes that a loop walks along.
struct LoopStream {
  enum class Walk : uint8_t {
    kAlong,  // element i lies i elements behind the beginning
    kRows,   // rows of the loop's `row` elements, `pitch` bytes apart
    kBlocks  // one block of 32 bytes per row, over and over, `pitch` bytes apart
  };
  // What memory has; lanes are 32 bits, and floats where it has kHalf or kBFloat.
  enum class Element : uint8_t { kWord, kHalf, kBFloat };
  bool in_gm = false;
  Element element = Element::kWord;
  Walk walk = Walk::kAlong;
  uint32_t place = 0;  // in_gm: number in LoopBody's places
  uint64_t at = 0;     // bytes behind the place, or behind the beginning of UB
  uint32_t pitch = 0;

  uint32_t size() const { return element == Element::kWord ? 4 : 2; }
  bool operator==(const LoopStream&) const = default;
};

struct LoopValue {
  bool constant = false;
  uint32_t bits = 0;  // constant: of each lane

  bool operator==(const LoopValue&) const = default;
};

struct LoopBody {
  uint64_t n = 0;    // elements
  uint32_t row = 0;  // elements of a row; 0: there are no rows
  uint32_t places = 0;
  std::vector<LoopStream> streams;
  std::vector<LoopValue> values;
  std::vector<LaneStep> at_row;  // loads, at each row's beginning
  std::vector<LaneStep> steps;

  bool operator==(const LoopBody&) const = default;
  uint64_t digest() const;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_LOOP_BODY_H_
