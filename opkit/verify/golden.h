// Golden files: calls with their expected results, for contracts whose reference is none.
#ifndef OPKIT_VERIFY_GOLDEN_H_
#define OPKIT_VERIFY_GOLDEN_H_

#include <filesystem>

#include "opkit/call/execute/executor.h"
#include "opkit/verify/verdict.h"

namespace opkit::verify {

// Runs the call of an .npz file and compares its outputs. The file holds inputs, expected outputs
// and attributes under their names ("xs0", "xs1" for a dynamic port; attributes as 0-D or 1-D
// arrays; those that are left out take their defaults). Expected values may have a wider type: they
// are rounded to the output's; the contract's tolerance holds, without one every element must be
// equal. UNIMPLEMENTED when the file is not there.
ProblemResult judge_golden(const OpContract& contract, Executor& executor, const std::string& soc,
                           const std::filesystem::path& file);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_GOLDEN_H_
