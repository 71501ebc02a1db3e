#include "opkit/contract/expr_node.h"

namespace opkit {

ExprType ExprNode::type() const {
  switch (kind) {
    case Kind::kListName: return ExprType::kList;
    case Kind::kTruthName:
    case Kind::kNot:
    case Kind::kCompare:
    case Kind::kTextEqual:
    case Kind::kTextUnequal:
    case Kind::kAnd:
    case Kind::kOr: return ExprType::kTruth;
    case Kind::kCall: break;
    default: return ExprType::kNumber;
  }
  switch (function) {
    case Function::kBroadcast:
    case Function::kPermute:
    case Function::kDrop:
    case Function::kCollapse:
    case Function::kTile:
    case Function::kPad:
    case Function::kSlice: return ExprType::kList;
    case Function::kPresent: return ExprType::kTruth;
    default: return ExprType::kNumber;
  }
}

}  // namespace opkit
