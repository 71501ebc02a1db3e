// Excess: what the chip does although the kernel did not mean it. Its memories are flat, so an
// access goes where its address says, whatever TPipe gave out (docs/decisions/0014).
#ifndef OPKIT_CORE_STATE_EXCESS_H_
#define OPKIT_CORE_STATE_EXCESS_H_

#include <cstddef>
#include <cstdint>
#include <utility>

namespace opkit::core {

// Each kind is told once per launch.
enum class Excess : uint8_t {
  kTensor,    // EK1002: behind the end of a local tensor, inside its memory
  kReserved,  // EK1001: in what the framework keeps at the end of UB
  kIndex,     // EK1007: a scalar behind the end of a local tensor
  kGather,    // EK1208: an offset behind the source
  kTail,      // EK1009: in what allocations have behind a GM tensor
  kSize,      // EK1010: behind the size that SetGlobalBuffer was given
  kView,      // EK1109: a TBuf gives more bytes than it has
  kNothing,   // EK1012: a copy of less than a block copies nothing
  kLateFill,  // EK1804: InitGlobalMemory behind InitBuffer
  kInput,     // EK1006: a write into an input
  kNoPad,     // EK1805: UnPad with nothing to take off
  kEndOfL1,   // EK1101: a buffer in the last bytes of L1, which TPipe does not offer
  kCut,       // EK1014: a copy by count of no whole blocks leaves bytes behind
  kShort,     // EK1015: a length that wrapped in 16 bits
  kWords,     // EK1219: And, Or by a count of 16-bit words on 32-bit elements
  kBehindK,   // EK1726: Mmad multiplies what lies behind k
};
inline constexpr size_t kExcessKinds = 16;

// An access that nobody but its own core can see.
constexpr bool stays_on_chip(Excess kind) { return kind <= Excess::kGather; }

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_EXCESS_H_
