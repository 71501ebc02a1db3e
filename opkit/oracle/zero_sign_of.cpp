#include "opkit/oracle/zero_sign_of.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace opkit::oracle {
namespace {

using Operands = std::vector<const Bounded*>;

// What they give is an element of their first operand, or of any of them.
constexpr std::array<std::string_view, 16> kMoves{
    "Concat",   "DepthToSpace", "Expand",    "Flatten",  "Gather",          "GatherElements",
    "GatherND", "Identity",     "Pad",       "Reshape",  "ReverseSequence", "Slice",
    "Split",    "Squeeze",      "Transpose", "Unsqueeze"};
constexpr std::array<std::string_view, 4> kMoreMoves{"Cast", "CastLike", "SpaceToDepth", "Tile"};

template <size_t N>
bool is_one_of(std::string_view op, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), op) != list.end();
}

ZeroSign of(const Bounded* operand) {
  return operand == nullptr ? ZeroSign::kOpen : operand->zero_sign;
}

ZeroSign weaker(ZeroSign a, ZeroSign b) { return std::max(a, b); }

// Judges moved elements. A constant among them says nothing: a kernel may make such a zero anyhow.
ZeroSign moved(std::string_view op, const Operands& operands) {
  ZeroSign sign = of(operands[0]);
  if (!is_float(operands[0]->value.dtype)) return ZeroSign::kOpen;
  if (op != "Concat") return sign;
  for (const Bounded* operand : operands) {
    if (of(operand) != sign) return ZeroSign::kOpen;
  }
  return sign;
}

bool has_zero(const Bounded& tensor) {
  return std::any_of(tensor.value.values.begin(), tensor.value.values.end(),
                     [](double value) { return value == 0; });
}

// A factor of zero may be a case of its own to a kernel.
ZeroSign multiplied(const Operands& operands) {
  bool constants = true;
  for (const Bounded* operand : operands) {
    const ZeroSign sign = of(operand);
    if (sign == ZeroSign::kResult || sign == ZeroSign::kOpen) return ZeroSign::kOpen;
    if (sign == ZeroSign::kConstant && has_zero(*operand)) return ZeroSign::kOpen;
    constants = constants && sign == ZeroSign::kConstant;
  }
  return constants ? ZeroSign::kConstant : ZeroSign::kProduct;
}

// c - x may be computed as -(x - c), and x + 0 not at all.
ZeroSign added(const Operands& operands) {
  const bool given = std::all_of(operands.begin(), operands.end(), [](const Bounded* operand) {
    return of(operand) == ZeroSign::kGiven;
  });
  return given ? ZeroSign::kResult : ZeroSign::kOpen;
}

// Judges operands that an input chooses from. What a computed condition finds equal has no order.
ZeroSign chosen(const Operands& operands) {
  if (of(operands[0]) != ZeroSign::kGiven) return ZeroSign::kOpen;
  const ZeroSign one = of(operands[1]), other = of(operands[2]);
  if (!is_told(one) || !is_told(other)) return ZeroSign::kOpen;
  return weaker(one, other);
}

}  // namespace

ZeroSign zero_sign_of(const graph::Node& node, const Operands& operands) {
  const std::string_view op = node.op_type;
  if (operands.empty() || operands[0] == nullptr) return ZeroSign::kOpen;
  if (is_one_of(op, kMoves) || is_one_of(op, kMoreMoves)) return moved(op, operands);
  if (op == "Mul") return multiplied(operands);
  if (op == "Add" || op == "Sub") return added(operands);
  if (op == "Where") return chosen(operands);
  // -(a - b) may be b - a.
  if (op == "Neg" || op == "Abs")
    return of(operands[0]) <= ZeroSign::kProduct ? of(operands[0]) : ZeroSign::kOpen;
  return ZeroSign::kOpen;
}

}  // namespace opkit::oracle
