// The table of all operators.
#ifndef OPKIT_REFERENCE_OPERATORS_H_
#define OPKIT_REFERENCE_OPERATORS_H_

#include <string>
#include <string_view>
#include <vector>

#include "opkit/reference/operator.h"

namespace opkit::reference {

// Null when unknown.
const Operator* find_operator(std::string_view name);
// In alphabetic order.
const Operators& all_operators();
std::vector<std::string> operator_names();

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_OPERATORS_H_
