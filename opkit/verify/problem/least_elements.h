// How large a call is at least, and what it costs, before every symbol has a value.
#ifndef OPKIT_VERIFY_PROBLEM_LEAST_ELEMENTS_H_
#define OPKIT_VERIFY_PROBLEM_LEAST_ELEMENTS_H_

#include <cstdint>

#include "opkit/contract/op_contract.h"

namespace opkit::verify {

// More than any call has: counts end here.
constexpr int64_t kManyElements = int64_t{1} << 50;

// Elements that all tensors have together at least, whatever the symbols become that have a range
// in `scope`. Tensors whose number or rank is not known count as none.
int64_t least_elements(const OpContract& contract, const Scope& scope);

// Sizes of all symbols multiplied: what a convolution or a matrix product has of products. 0 counts
// as 1, lists count as nothing.
int64_t least_products(const OpContract& contract, const Scope& scope);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_LEAST_ELEMENTS_H_
