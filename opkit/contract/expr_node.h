// The syntax tree behind Expr. Private to the expr_*.cpp files.
#ifndef OPKIT_CONTRACT_EXPR_NODE_H_
#define OPKIT_CONTRACT_EXPR_NODE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/contract/expr_type.h"

namespace opkit {

class ExprNode {
 public:
  enum class Kind {
    kInteger,
    kNumberName,
    kTruthName,
    kListName,
    kCollapsible,  // N|1
    kPerTensor,    // N[]
    kIndex,        // list[number]: operands list, number
    kNegative,
    kNot,
    kAdd,
    kSubtract,
    kMultiply,
    kFloorDivide,
    kModulo,
    kPower,
    kCompare,      // operands a, b, c ... with relations between them
    kTextEqual,    // name == 'text'
    kTextUnequal,  // name != 'text'
    kAnd,
    kOr,
    kCall,
  };
  enum class Relation { kLess, kLessEqual, kGreater, kGreaterEqual, kEqual, kUnequal };
  enum class Function {
    kCeilDiv,
    kMin,
    kMax,
    kSelect,     // select(condition, a, b)
    kProd,       // multiplies the elements of a list
    kSum,        // adds the elements of a list
    kRank,       // length of a list
    kMinOf,      // min over one list
    kMaxOf,      // max over one list
    kBroadcast,  // list of lists
    kPermute,    // permute(list, order)
    kDrop,       // drop(list, axes)
    kCollapse,   // collapse(list, axes): those dims become 1
    kTile,       // tile(list, repeats)
    kPad,        // pad(list, pads): what is added at the begin of each dim, then at the end of each
    kSlice,      // slice(list, starts, ends, axes, steps)
    kPresent,    // tells whether a port is given
    kCount,      // counts the tensors of a port
  };

  Kind kind;
  int64_t integer = 0;
  std::string name;  // is the name that is meant, or that a text comparison reads
  std::string text;  // the literal of a text comparison
  Function function = Function::kCeilDiv;
  std::vector<Relation> relations;
  std::vector<std::shared_ptr<const ExprNode>> operands;
  Location where;

  ExprType type() const;
};

using ExprNodePtr = std::shared_ptr<const ExprNode>;

}  // namespace opkit

#endif  // OPKIT_CONTRACT_EXPR_NODE_H_
