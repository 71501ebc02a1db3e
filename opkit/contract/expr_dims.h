// What the functions of expressions make of dims. Private to the expr_*.cpp files.
#ifndef OPKIT_CONTRACT_EXPR_DIMS_H_
#define OPKIT_CONTRACT_EXPR_DIMS_H_

#include <vector>

#include "opkit/contract/expr.h"
#include "opkit/contract/expr_node.h"

namespace opkit {

// Returns the axes that a list of known numbers names, counted from 0; checked against the rank.
Result<std::vector<size_t>> axes_of(const ExprNode& node, const ListValue& list, size_t rank);

// The lengths of all lists are known. Errors stand at the node.
Result<ListValue> tiled_dims(const ExprNode& node, const ListValue& dims, const ListValue& repeats);
Result<ListValue> padded_dims(const ExprNode& node, const ListValue& dims, const ListValue& pads);
// lists: dims, starts, ends, axes, steps. Bounds as in ONNX: negative ones count from the end, and
// they are cut to the dim.
Result<ListValue> sliced_dims(const ExprNode& node, const std::vector<ListValue>& lists);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_EXPR_DIMS_H_
