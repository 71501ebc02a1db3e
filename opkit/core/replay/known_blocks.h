// KnownBlocks: what cores have recorded so far in a launch. Most cores of a launch do what another
// one has done, elsewhere in GM: what came of that one is true of them, too.
#ifndef OPKIT_CORE_REPLAY_KNOWN_BLOCKS_H_
#define OPKIT_CORE_REPLAY_KNOWN_BLOCKS_H_

#include <unordered_map>
#include <vector>

#include "opkit/core/replay/lower.h"

namespace opkit::core {

// Where a core's part of each range of a launch begins: bytes from the range's beginning.
using RangeStarts = std::vector<uint64_t>;

// Makes the places in GM of a recording relative to where the core's part of each of `ranges`
// ranges begins, and returns that. What steps may do with each other hangs on nothing else: places
// of different ranges never meet.
RangeStarts make_relative(BlockSteps& recording, uint32_t ranges);
// Returns places of a range's part as places of the range.
std::vector<BytePlace> placed_behind(const RangeStarts& starts,
                                     const std::vector<BytePlace>& relative);

class KnownBlocks {
 public:
  struct Known {
    std::vector<ProgramStep> steps;  // as they were recorded
    std::vector<Issued> issued;
    CubeCalls cube;
    std::vector<CubeStep> cube_steps;
    std::vector<BytePlace> cube_places;
    // What came of them: a class of the program, and the core's places, relative.
    uint32_t of_class = 0;
    std::vector<BytePlace> places;
  };

  // Returns who has recorded the same steps; nullptr: nobody. REQUIRES: places are relative.
  const Known* find(const BlockSteps& recording) const;
  // Keeps a copy of the steps and returns where to write what comes of them.
  Known& add(const BlockSteps& recording);
  void clear() { by_digest_.clear(); }

 private:
  std::unordered_multimap<uint64_t, Known> by_digest_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_KNOWN_BLOCKS_H_
