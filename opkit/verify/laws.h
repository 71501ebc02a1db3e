// Laws that follow from the reference: calls with the elements or rows of the first call in another
// order must give the same bits in that order.
#ifndef OPKIT_VERIFY_LAWS_H_
#define OPKIT_VERIFY_LAWS_H_

#include <optional>
#include <string>

#include "opkit/call/execute/executor.h"
#include "opkit/verify/problem/problem.h"

namespace opkit::verify {

enum class Law {
  kNone,
  kElements,  // every node works element by element, all tensors have one shape
  kRows       // nodes work along the last axis at most, and the contract fixes the order of sums
};

// Returns what the reference implies for a call with these attributes (complete), inputs and
// outputs. kRows needs `numeric: {order: fixed}`: otherwise a kernel may add a row up in an order
// that depends on where it lies.
Law law_of(const OpContract& contract, const AttrValues& attrs, const Execution& execution);

// Runs `call` with its elements or rows in reverse and rotated, and compares the bits with those of
// `first`. Error: OPK-VERIFY-027 with the first element that broke the law.
std::optional<Error> break_law(Executor& executor, const Invocation& call, const Execution& first);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_LAWS_H_
