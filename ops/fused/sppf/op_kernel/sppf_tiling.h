// What the host tells an Sppf. Plain data, shared by both sides.
#ifndef SPPF_SPPF_TILING_H_
#define SPPF_SPPF_TILING_H_

#include <cstdint>

struct SppfTilingData {
  uint64_t planes;       // counts the planes of x
  uint64_t core_planes;  // counts the planes of every core but the last ones
  uint64_t channels;     // counts the channels of x
  uint32_t height, width;
  uint32_t reach_down, reach_across;  // how far a window sees to each side
};

constexpr uint32_t kSppfStep = 16;  // rows and columns begin blocks of every type; turned, too

#endif  // SPPF_SPPF_TILING_H_
