// The sides of a comparison, for who reasons about terms that are no names.
#ifndef OPKIT_CONTRACT_EXPR_COMPARISON_H_
#define OPKIT_CONTRACT_EXPR_COMPARISON_H_

#include <optional>

#include "opkit/contract/expr.h"
#include "opkit/contract/expr_node.h"

namespace opkit {

// Makes a tree of the expression by reading its canonical text again: an Expr keeps its tree to
// itself. nullptr: it is a list.
ExprNodePtr tree_of(const Expr& expression);

struct ExprRelation {
  Expr left;
  ExprNode::Relation relation;
  Expr right;
};

// Returns nothing when the condition is not one comparison of two numbers.
std::optional<ExprRelation> comparison_of(const Expr& condition);

// "x % 16" -> x and 16; nothing for another expression, or a divisor that is no number above 0.
struct Remainder {
  Expr of;
  int64_t divisor;
};
std::optional<Remainder> remainder_of(const Expr& expression);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_EXPR_COMPARISON_H_
