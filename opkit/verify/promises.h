// What a contract promises of a call's outputs before their values count.
#ifndef OPKIT_VERIFY_PROMISES_H_
#define OPKIT_VERIFY_PROMISES_H_

#include <optional>

#include "opkit/call/execute/executor.h"
#include "opkit/verify/problem/problem.h"

namespace opkit::verify {

// Column, tiling key, numbers of tensors, dtypes and shapes. The Error (its code may be empty) says
// which is not as promised.
std::optional<Error> broken_promise(const OpContract& contract, const Problem& problem,
                                    const Execution& execution);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROMISES_H_
