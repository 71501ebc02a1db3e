#include "opkit/contract/expr_relation.h"

namespace opkit {
namespace {

using Relation = ExprNode::Relation;

}  // namespace

std::string_view symbol_of(Relation relation) {
  static constexpr const char* kSymbols[] = {"<", "<=", ">", ">=", "==", "!="};
  return kSymbols[static_cast<int>(relation)];
}

Relation mirrored(Relation relation) {
  switch (relation) {
    case Relation::kLess: return Relation::kGreater;
    case Relation::kLessEqual: return Relation::kGreaterEqual;
    case Relation::kGreater: return Relation::kLess;
    case Relation::kGreaterEqual: return Relation::kLessEqual;
    default: return relation;
  }
}

Range left_by(Relation relation, Range side) {
  switch (relation) {
    case Relation::kLess:
      return {Range::kLowest, side.hi == Range::kHighest ? side.hi : side.hi - 1};
    case Relation::kLessEqual: return {Range::kLowest, side.hi};
    case Relation::kGreater:
      return {side.lo == Range::kLowest ? side.lo : side.lo + 1, Range::kHighest};
    case Relation::kGreaterEqual: return {side.lo, Range::kHighest};
    case Relation::kEqual: return side;
    case Relation::kUnequal: break;
  }
  return {};
}

}  // namespace opkit
