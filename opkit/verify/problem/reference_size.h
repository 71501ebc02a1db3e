// What a call's reference takes to evaluate.
#ifndef OPKIT_VERIFY_PROBLEM_REFERENCE_SIZE_H_
#define OPKIT_VERIFY_PROBLEM_REFERENCE_SIZE_H_

#include "opkit/verify/problem/problem.h"

namespace opkit::verify {

// Elements of all values of the reference together, those between two steps included; nothing where
// their shapes are not known.
std::optional<int64_t> reference_elements(const OpContract& contract, const Problem& problem);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_REFERENCE_SIZE_H_
