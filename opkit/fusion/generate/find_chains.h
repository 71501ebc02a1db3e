// Element-wise chains of a compiled model: kernels that one kernel could be which keeps everything
// between them in UB.
#ifndef OPKIT_FUSION_GENERATE_FIND_CHAINS_H_
#define OPKIT_FUSION_GENERATE_FIND_CHAINS_H_

#include <vector>

#include "opkit/fusion/analyze/gain.h"
#include "opkit/fusion/author/region.h"

namespace opkit::generate {

// Less than this share of the traffic is not worth a kernel.
inline constexpr double kLeastSaved = 0.3;

// A chain of more is cut: the kernel's source has a call or more for each.
inline constexpr size_t kMostKernels = 64;

struct WorthyChain {
  analyze::Chain chain;
  analyze::Gain gain;
  author::ElementwiseRegion region;
};

// Lists them in the order of their first nodes; no kernel is in two. A chain
// - has two kernels or more, at most kMostKernels, with formulas for all of their nodes, of calls
//   that the model's chip has;
// - has one result; what is between is read by the chain alone and is no output of the model, so
//   that no path leaves it and comes back;
// - computes everything at the dims of its result, to which its inputs broadcast; at most six of
//   them are tensors;
// - moves at least kLeastSaved less through device memory than its kernels.
// Error: rates_of's.
Result<std::vector<WorthyChain>> find_worthy_chains(const compile::Compiled& compiled);

}  // namespace opkit::generate

#endif  // OPKIT_FUSION_GENERATE_FIND_CHAINS_H_
