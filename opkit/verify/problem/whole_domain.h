// Every legal call of a contract, where they can be counted.
#ifndef OPKIT_VERIFY_PROBLEM_WHOLE_DOMAIN_H_
#define OPKIT_VERIFY_PROBLEM_WHOLE_DOMAIN_H_

#include <optional>
#include <vector>

#include "opkit/verify/problem/problem.h"

namespace opkit::verify {

// Returns one problem for each shape and attribute value that the contract allows in one column;
// nothing when there are more than `most` candidates: lists of dims, dims without a bound, numbers
// as attributes, inputs that may be left out, repeated or broadcast.
std::optional<std::vector<Problem>> whole_domain(const OpContract& contract, size_t most);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_WHOLE_DOMAIN_H_
