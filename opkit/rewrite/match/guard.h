// Guards: what must hold before a plugin may take nodes of a graph. The first one that does not is
// the reason that people read.
#ifndef OPKIT_REWRITE_MATCH_GUARD_H_
#define OPKIT_REWRITE_MATCH_GUARD_H_

#include <string>
#include <string_view>

namespace opkit::match {

enum class Guard {
  kOperator,   // another operator stands there, or nothing reads or defines the value
  kOperands,   // an operand is missing, or there is one more
  kConstant,   // an operand is no constant, or another one
  kAttribute,  // an attribute that the op cannot have
  kSameValue,  // one input of the op would have to be two values
  kSingleUse,  // somebody else needs a value that the op would not store
  kBetween,    // a node outside lies between nodes of the op
  kDType,      // no column has these element types
  kShape,      // dims that the op's inputs cannot have, or that are not known
  kWhere,      // a numbered constraint
  kMeaning,    // the reference computes something else at these shapes
  kPlan,       // the op's own tiling or inference refuses the call
  kSwitch,     // switched off by the user
};

// "operator", "operands", ... as reports name them.
std::string_view name_of(Guard guard);

struct Refusal {
  Guard guard = Guard::kOperator;
  std::string reason;  // a sentence with the values
};

}  // namespace opkit::match

#endif  // OPKIT_REWRITE_MATCH_GUARD_H_
