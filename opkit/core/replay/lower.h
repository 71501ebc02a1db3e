// What instructions become in a program: steps over places.
#ifndef OPKIT_CORE_REPLAY_LOWER_H_
#define OPKIT_CORE_REPLAY_LOWER_H_

#include <unordered_map>

#include "opkit/core/replay/program.h"
#include "opkit/core/replay/spans.h"
#include "opkit/core/state/core.h"
#include "opkit/core/state/footprint.h"
#include "opkit/core/state/launch_request.h"

namespace opkit::core {

// A step of the cube unit: which instruction of its kind it is, the places in GM of its operands,
// and what it touches of UB and of GM.
struct CubeStep {
  uint32_t call = 0;
  uint32_t first_place = 0, places = 0;
  uint32_t first_touch = 0, touches = 0;

  bool operator==(const CubeStep&) const = default;
};

// Finds instructions that were issued before.
class KnownCalls {
 public:
  // Returns the number of the instruction in the list of its kind, to which it may be added.
  template <typename T>
  uint32_t number(uint8_t kind, const T& instruction, std::vector<T>& all) {
    const uint64_t digest = digest_of(kind, &instruction, sizeof(T));
    const auto [first, last] = by_digest_.equal_range(digest);
    for (auto it = first; it != last; ++it) {
      if (it->second < all.size() && equal(&all[it->second], &instruction, sizeof(T)))
        return it->second;
    }
    all.push_back(instruction);
    const auto number = static_cast<uint32_t>(all.size() - 1);
    by_digest_.emplace(digest, number);
    return number;
  }

 private:
  static uint64_t digest_of(uint8_t kind, const void* bytes, size_t size);
  static bool equal(const void* x, const void* y, size_t size);

  std::unordered_multimap<uint64_t, uint32_t> by_digest_;
};

// Calls f(runs) for the runs of an access, which begin nowhere, with what leads from the access's
// address to each.
template <typename F>
void for_each_runs(const Access& a, F&& f) {
  Runs runs;
  runs.bytes = a.block_bytes;
  runs.write = a.write;
  runs.all = !a.partial;
  runs.rows = a.blocks;
  runs.pitch = a.blocks > 1 ? a.block_pitch : 0;
  for (uint32_t r = 0; r < a.repeats; ++r) f(runs, r * a.repeat_pitch);
}

// Tells whether the instruction reads elements at offsets that lie in UB.
inline bool gathers(const opk_vector_v1& v) {
  return v.op == OPK_V_GATHER || v.op == OPK_V_GATHERB;
}

// What one core has done so far for a block. Steps of the cube unit are numbers of cube_steps until
// the block ends.
struct BlockSteps {
  std::vector<ProgramStep> steps;
  std::vector<Issued> issued;
  // For each of them, what is to be known of what it reads, or what it writes, run by run: where
  // its spans say less.
  std::vector<std::vector<Runs>> exact;
  CubeCalls cube;
  std::vector<CubeStep> cube_steps;
  std::vector<BytePlace> cube_places;
  std::vector<Runs> touches;
  std::vector<uint64_t> owners;  // owns Matmul objects
  KnownCalls known;
};

// Calls f(runs) for everything that a step of the cube unit touches of UB and of GM.
template <typename F>
void for_each_touch(const ProgramStep& step, const BlockSteps& recording, F&& f) {
  const CubeStep& cube = recording.cube_steps[step.number];
  for (uint32_t i = 0; i < cube.touches; ++i) f(recording.touches[cube.first_touch + i]);
}

// Calls f(span) for everything that the step touches: first what it reads.
template <typename F>
void for_each_span(const ProgramStep& step, const BlockSteps& recording, F&& f) {
  if (step.is_meeting()) return;
  if (!step.is_of_cube()) return for_each_span(step, recording.issued, f);
  for (const bool write : {false, true}) {
    for_each_touch(step, recording, [&](const Runs& runs) {
      if (runs.write == write) f(runs.span());
    });
  }
}

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
// Does so for the cube unit, and for copies from and to its memories.
const char* lower_cube(Core& core, const Footprint& footprint, const Ground& ground,
                       BlockSteps& recording);

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_LOWER_H_
