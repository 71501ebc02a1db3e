// What a call's reference takes to evaluate.
#ifndef OPKIT_VERIFY_PROBLEM_REFERENCE_SIZE_H_
#define OPKIT_VERIFY_PROBLEM_REFERENCE_SIZE_H_

#include "opkit/verify/problem/problem.h"

namespace opkit::verify {

// Elements of all values of the reference together, those between two steps included; nothing where
// their shapes are not known.
std::optional<int64_t> reference_elements(const OpContract& contract, const Problem& problem);

// Tells whether the reference of a problem that is wider than usual takes no more memory and time
// than a test has; in_parts: or can be evaluated part by part, which takes time but little memory.
bool is_affordable(const OpContract& contract, const Problem& problem, bool in_parts);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_REFERENCE_SIZE_H_
