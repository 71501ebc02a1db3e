// Machine code of this host for loops. Where opkit was built without an assembler, or the host is
// none that it knows, there is none.
#ifndef OPKIT_CORE_REPLAY_LOOP_CODE_H_
#define OPKIT_CORE_REPLAY_LOOP_CODE_H_

#include <cstdint>
#include <vector>

#include "opkit/core/replay/loop_body.h"

namespace opkit::core {

// frame[0]: the beginning of UB; frame[1 + i]: where place i of the body lies.
using LoopFn = void (*)(uint8_t* const* frame);

// The instructions that loops are made of.
enum class LoopHost : uint8_t { kNone, kAvx2, kAvx512 };

// Returns what this host has.
LoopHost loop_host();

constexpr uint32_t kMostLoopPlaces = 11;  // places in GM, and rows, of one loop

struct LoopPart {
  uint64_t at = 0;        // bytes behind the beginning of the code
  uint64_t elements = 0;  // that it computes, from the first on; 0: there is no code
};

// Appends a loop's code to `code`, to be run from wherever it lies. Elements behind the last whole
// register are left to others. Where there is no code for a loop, nothing is appended.
LoopPart append_loop(const LoopBody& body, LoopHost host, std::vector<uint8_t>& code);

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_LOOP_CODE_H_
