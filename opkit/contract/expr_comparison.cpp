#include "opkit/contract/expr_comparison.h"

#include "opkit/contract/expr_parser.h"

namespace opkit {
namespace {

using Kind = ExprNode::Kind;

}  // namespace

ExprNodePtr tree_of(const Expr& expression) {
  const std::string text = expression.to_string();
  ExprParser parser(text, expression.where());
  auto tree =
      expression.type() == Expr::Type::kTruth ? parser.parse_condition() : parser.parse_single();
  return tree.ok() ? *tree : nullptr;
}

std::optional<ExprRelation> comparison_of(const Expr& condition) {
  if (condition.type() != Expr::Type::kTruth) return std::nullopt;
  const ExprNodePtr tree = tree_of(condition);
  if (!tree || tree->kind != Kind::kCompare || tree->relations.size() != 1) return std::nullopt;
  return ExprRelation{Expr(tree->operands[0], condition.where()), tree->relations[0],
                      Expr(tree->operands[1], condition.where())};
}

std::optional<Remainder> remainder_of(const Expr& expression) {
  if (expression.type() != Expr::Type::kNumber) return std::nullopt;
  const ExprNodePtr tree = tree_of(expression);
  if (!tree || tree->kind != Kind::kModulo) return std::nullopt;
  const ExprNode& divisor = *tree->operands[1];
  if (divisor.kind != Kind::kInteger || divisor.integer <= 0) return std::nullopt;
  return Remainder{Expr(tree->operands[0], expression.where()), divisor.integer};
}

}  // namespace opkit
