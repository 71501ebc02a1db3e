// Steps of a program that the cube unit, or a wait for other cores, is.
#ifndef OPKIT_CORE_REPLAY_RUN_CUBE_H_
#define OPKIT_CORE_REPLAY_RUN_CUBE_H_

#include "opkit/core/replay/program.h"

namespace opkit::core {

// Returns where in the launch's GM a place of a block lies.
uint8_t* gm_address(const Core& core, const BytePlace& place);

// Runs a step of one of the kinds from kCubeCopy on, which may suspend the core.
// REQUIRES: it runs in the core's fiber.
void run_cube(Core& core, const ProgramStep& step, const CubeCalls& calls,
              const std::vector<BytePlace>& places);

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_RUN_CUBE_H_
