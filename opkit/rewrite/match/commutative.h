#ifndef OPKIT_REWRITE_MATCH_COMMUTATIVE_H_
#define OPKIT_REWRITE_MATCH_COMMUTATIVE_H_

#include <string>

namespace opkit::match {

// Tells whether the order of the operator's two operands does not matter.
bool is_commutative(const std::string& op_type);

}  // namespace opkit::match

#endif  // OPKIT_REWRITE_MATCH_COMMUTATIVE_H_
