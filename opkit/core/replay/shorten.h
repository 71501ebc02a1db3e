// Makes what a block does shorter, and its results the same bits: strips become whole rows, copies
// into and out of UB give way to reading and writing GM in place, what nobody reads is not kept.
#ifndef OPKIT_CORE_REPLAY_SHORTEN_H_
#define OPKIT_CORE_REPLAY_SHORTEN_H_

#include "opkit/core/replay/lower.h"

namespace opkit::core {

// Elements that steps which belong together compute at once.
inline constexpr uint64_t kReplayChunk = 1024;
// Bytes of scratch memory that a block may use.
inline constexpr uint64_t kReplayScratch = 65536;

// Steps over neighbouring strips and rows become one; such in any order become kRows.
void merge_steps(BlockSteps& recording);
// Takes copies between UB and GM out where the steps can do without.
void drop_copies(BlockSteps& recording);
// Add, Sub or FusedMulAdd and the Relu behind it in place become the chip's own pair.
void join_relu(BlockSteps& recording);
// Marks steps that are computed chunk by chunk together, and gives what only they use a place in
// scratch memory. Returns the bytes of that.
uint64_t join_steps(BlockSteps& recording);

// Tells whether nobody reads `bytes` of UB at `place` behind step number `from` before they are
// written anew.
bool is_dead(const BlockSteps& recording, size_t from, const BytePlace& place, uint64_t bytes);

// Tells whether bytes of UB that the block has not written get into GM.
bool leaks_leftovers(const BlockSteps& recording, uint32_t ub_bytes);

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_SHORTEN_H_
