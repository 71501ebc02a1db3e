// inputs_between: what an op reads in the midst of separate ops, for ops that do what their data
// say.
#ifndef OPKIT_FUSION_COMPARE_INPUTS_BETWEEN_H_
#define OPKIT_FUSION_COMPARE_INPUTS_BETWEEN_H_

#include <map>
#include <string>

#include "opkit/atc/compile/compile.h"
#include "opkit/call/execute/invocation.h"

namespace opkit::compare {

// Returns the tensors of the candidate's input ports, as the reference computes them from the
// graph's inputs, which are given by name. Error: the reference's.
Result<Ports> inputs_between(const compile::Compiled& compiled, const compile::Candidate& candidate,
                             const std::map<std::string, Tensor>& inputs);

}  // namespace opkit::compare

#endif  // OPKIT_FUSION_COMPARE_INPUTS_BETWEEN_H_
