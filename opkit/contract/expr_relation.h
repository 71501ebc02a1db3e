#ifndef OPKIT_CONTRACT_EXPR_RELATION_H_
#define OPKIT_CONTRACT_EXPR_RELATION_H_

#include <string_view>

#include "opkit/contract/expr_node.h"
#include "opkit/contract/range.h"

namespace opkit {

std::string_view symbol_of(ExprNode::Relation relation);
// Returns what `term <relation> side` leaves for the term.
Range left_by(ExprNode::Relation relation, Range side);
ExprNode::Relation mirrored(ExprNode::Relation relation);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_EXPR_RELATION_H_
