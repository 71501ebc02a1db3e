// The largest tile that fits, told to the author of one that does not.
#ifndef OPKIT_VERIFY_PROOF_LARGEST_TILE_H_
#define OPKIT_VERIFY_PROOF_LARGEST_TILE_H_

#include <string>

#include "opkit/call/execute/executor.h"
#include "opkit/verify/problem/problem.h"

namespace opkit::verify {

// Continues a sentence: "; in all its buffers take 294912 bytes of UB, of which Ascend310B1 has
// 261888: a tile of at most 10912 elements fits (this one: 12288)". `roomy`: the call on a chip
// where it fits. Empty when the buffers are not what is too large.
std::string largest_tile_text(const OpContract& contract, const Problem& problem,
                              const CoverRun& roomy);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROOF_LARGEST_TILE_H_
