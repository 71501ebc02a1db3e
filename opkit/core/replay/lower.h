// What instructions become in a program: steps over places.
#ifndef OPKIT_CORE_REPLAY_LOWER_H_
#define OPKIT_CORE_REPLAY_LOWER_H_

#include "opkit/core/replay/program.h"
#include "opkit/core/state/core.h"
#include "opkit/core/state/footprint.h"
#include "opkit/core/state/launch_request.h"

namespace opkit::core {

// What one block has done so far.
struct BlockSteps {
  std::vector<ProgramStep> steps;
  std::vector<Issued> issued;
};

// Where addresses lie while a launch is recorded: the ranges of its request.
class Ground {
 public:
  explicit Ground(const LaunchRequest& request) : request_(request) {}

  // kNowhere: the bytes lie neither in UB nor in a range, or not wholly.
  BytePlace place_of(const Core& core, uint32_t memory, const void* address, uint64_t bytes) const;

 private:
  const LaunchRequest& request_;
};

// Adds what an admitted instruction does to the recording. nullptr, or why it cannot be recorded:
// the rest of a sentence that begins with "the kernel".
const char* lower(Core& core, const Footprint& footprint, const Ground& ground,
                  BlockSteps& recording);

// Does so for a vector instruction.
const char* lower_vector(Core& core, const Footprint& footprint, const Ground& ground,
                         BlockSteps& recording);
const char* lower_copy(Core& core, const opk_copy_v1& copy, const Ground& ground,
                       BlockSteps& recording);
// The instruction is run as it was issued.
const char* keep_issued(Core& core, const Footprint& footprint, const Ground& ground,
                        BlockSteps& recording);

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_LOWER_H_
