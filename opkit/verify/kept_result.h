// What a later run needs of a problem's result, as bytes: everything but the problem itself, which
// its line gives.
#ifndef OPKIT_VERIFY_KEPT_RESULT_H_
#define OPKIT_VERIFY_KEPT_RESULT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "opkit/verify/verdict.h"

namespace opkit::verify {

std::vector<uint8_t> to_bytes(const ProblemResult& result);

// Empty when the bytes are not those of a result. `problem` and `origin` are left to the caller.
std::optional<ProblemResult> result_from(const std::vector<uint8_t>& bytes);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_KEPT_RESULT_H_
