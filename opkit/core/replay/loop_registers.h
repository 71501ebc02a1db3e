// Which register each value of a loop's body lives in.
#ifndef OPKIT_CORE_REPLAY_LOOP_REGISTERS_H_
#define OPKIT_CORE_REPLAY_LOOP_REGISTERS_H_

#include <optional>
#include <vector>

#include "opkit/core/replay/loop_body.h"

namespace opkit::core {

// Holds for each value its register; kInPool: a constant that is read from memory.
struct LoopRegisters {
  static constexpr uint8_t kInPool = 0xff;
  std::vector<uint8_t> of;
};

// Values get registers `first` to `first + count - 1`; constants those that are left over, most
// wanted first. nullopt: there are too few.
std::optional<LoopRegisters> assign_registers(const LoopBody& body, uint8_t first, uint8_t count);

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_LOOP_REGISTERS_H_
