#include "opkit/contract/expr_results.h"

#include "opkit/contract/expr_comparison.h"

namespace opkit {
namespace {

using Kind = ExprNode::Kind;

constexpr const char* kNoResult = "OPK-EXPR-011";

bool computes(const ExprNode& node) {
  switch (node.kind) {
    case Kind::kNegative:
    case Kind::kAdd:
    case Kind::kSubtract:
    case Kind::kMultiply:
    case Kind::kFloorDivide:
    case Kind::kModulo:
    case Kind::kPower: return true;
    case Kind::kCall: return node.function == ExprNode::Function::kCeilDiv;
    default: return false;
  }
}

Status check_part(const ExprNodePtr& node, const Scope& scope) {
  for (const ExprNodePtr& operand : node->operands) OPKIT_CHECK(check_part(operand, scope));
  if (!computes(*node)) return {};
  const auto result = Expr(node, node->where).evaluate(scope);
  if (result.ok() || result.error().code != kNoResult) return {};
  return result.error();
}

}  // namespace

Status check_results(const Expr& expression, const Scope& scope) {
  const ExprNodePtr tree = tree_of(expression);
  if (!tree) return {};
  Status checked = check_part(tree, scope);
  if (checked.ok()) return checked;
  return std::move(checked).error().at(expression.where());
}

}  // namespace opkit
