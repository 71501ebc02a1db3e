// Where the tensors and workspaces of a schedule's steps lie. Private to this folder.
#ifndef OPKIT_ATC_COMPILE_PLACE_BUFFERS_H_
#define OPKIT_ATC_COMPILE_PLACE_BUFFERS_H_

#include <utility>
#include <vector>

#include "opkit/atc/compile/schedule.h"

namespace opkit::compile {

// Pairs the number of each kernel's step with its candidate.
using KernelSteps = std::vector<std::pair<size_t, const Candidate*>>;

// Gives results of kernels the memory of operands that end there, where that is right, and places
// what then needs memory of its own. `root`: of each tensor of the model the one whose bytes it
// shares, which may be itself. Errors: those of the memory plan.
Status place_buffers(std::vector<uint32_t> root, const KernelSteps& kernels, const MayWork& may,
                     Schedule& schedule);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_PLACE_BUFFERS_H_
