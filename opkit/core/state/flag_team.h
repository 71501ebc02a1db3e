#ifndef OPKIT_CORE_STATE_FLAG_TEAM_H_
#define OPKIT_CORE_STATE_FLAG_TEAM_H_

#include <cstdint>

namespace opkit::core {

// Says which cores a launch has.
struct FlagTeam {
  uint32_t blocks = 0;
  int vector_lanes = 0;  // counts the vector lanes of one block
  bool cube_lane = false;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_FLAG_TEAM_H_
