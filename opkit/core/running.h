// Which block of a launch a host thread is executing: for faults that no instruction told of.
#ifndef OPKIT_CORE_RUNNING_H_
#define OPKIT_CORE_RUNNING_H_

#include <cstdint>

#include "opkit/core/state/fault.h"
#include "opkit/core/state/fiber.h"

namespace opkit::core {

struct RunningBlock {
  bool known = false;  // this thread is inside kernel code
  uint32_t block = 0;
  int sub_block = -1;  // AIV 0 or 1 of the block; -1 = cube core or an unsplit core
};

// Returns the block that the calling thread runs. Allocates nothing and takes no lock.
RunningBlock running_block();

// Returns the stack of that block. Allocates nothing and takes no lock. REQUIRES:
// running_block().known.
StackRange running_stack();

// That block has filled its stack: the stack pointer has left it, or the address that could not be
// touched lies in the guard below it. REQUIRES: running_block().known.
bool fills_running_stack(const void* stack_pointer, const void* address);

// Ends the block that the calling thread is executing with a fault, as a refused instruction does;
// does not return. REQUIRES: running_block().known, and no lock of the engine is held.
[[noreturn]] void end_running_block(Fault fault);

}  // namespace opkit::core

#endif  // OPKIT_CORE_RUNNING_H_
