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
  uint32_t high, wide;   // measure a plane in UB; of several, each ends with a gap to the next one
  uint32_t tile_planes;  // pass through UB at once, side by side
  uint32_t reserved;
};

constexpr uint32_t kSppfStep = 16;    // rows and columns begin blocks of every type; turned, too
constexpr uint32_t kSppfPools = 3;    // in a row, each of which reaches further into a gap
constexpr uint32_t kSppfBuffers = 7;  // planes of UB for each one of a tile

#endif  // SPPF_SPPF_TILING_H_
