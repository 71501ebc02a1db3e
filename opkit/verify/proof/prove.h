// Proving one tiling: every byte of every output is written by exactly one core, and the buffers of
// every core fit on the chip. Found by watching a launch that moves no data, so that shapes may be
// larger than the host's memory.
#ifndef OPKIT_VERIFY_PROOF_PROVE_H_
#define OPKIT_VERIFY_PROOF_PROVE_H_

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "opkit/call/execute/executor.h"
#include "opkit/verify/problem/problem.h"

namespace opkit::verify {

struct ProvedTiling {
  // What is wrong: OPK-VERIFY-060 bytes that nobody writes, -061 bytes that two cores write, EK1101
  // buffers that do not fit, with the largest tile that does; or why the call was refused or ended.
  std::optional<Error> wrong;
  std::string not_judged;                      // a sentence when nothing can be said
  std::vector<std::string> notes;              // outputs that one core writes several times
  std::array<uint64_t, OPK_MEM_COUNT> peak{};  // bytes that the buffers of one core take
  uint64_t instructions = 0;  // counts in the launch that was judged; else in all that were watched
  uint64_t tiling_key = 0;
  uint32_t block_dim = 0;
  SharedPlan plan;  // is the plan of the call; absent: it was refused
};

// Judges the tiling of the problem's call. `inputs`: data for a kernel that decides by values;
// nullptr: such a kernel is not judged. `plan`: the problem's; absent: it is planned now.
ProvedTiling prove_tiling(const OpContract& contract, Executor& executor, const Problem& problem,
                          const Ports* inputs, SharedPlan plan = nullptr);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROOF_PROVE_H_
