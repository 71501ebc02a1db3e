// CoreId: which of a launch's cores one is.
#ifndef OPKIT_CORE_STATE_CORE_ID_H_
#define OPKIT_CORE_STATE_CORE_ID_H_

#include <cstdint>

namespace opkit::core {

struct CoreId {
  uint32_t block = 0;
  int lane = -1;  // -1: cube core or the only core of the block, 0 or 1: vector core of a mixed one
  bool cube = false;  // it does a cube core's work and no other

  static constexpr uint32_t kSeats = 3;  // counts places in a block

  // Place among the cores of the launch: per block the cube core, then the vector cores.
  uint32_t seat() const { return block * kSeats + static_cast<uint32_t>(lane + 1); }
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_CORE_ID_H_
