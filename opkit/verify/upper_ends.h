// The upper ends of dims that a contract limits, and how far problems that ran on data came.
#ifndef OPKIT_VERIFY_UPPER_ENDS_H_
#define OPKIT_VERIFY_UPPER_ENDS_H_

#include <string>
#include <vector>

#include "opkit/verify/verdict.h"

namespace opkit::verify {

// Returns "L above 1024 on data (it may be 4096)" for each dim whose largest legal size no problem
// had that ran. Dims without a limit, and limits that no call meets, are not named.
std::vector<std::string> upper_ends_not_reached(const OpContract& contract,
                                                const std::vector<ProblemResult>& results);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_UPPER_ENDS_H_
