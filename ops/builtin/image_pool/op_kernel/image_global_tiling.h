// What the host tells the mean of whole images. Plain data, shared by both sides.
#ifndef IMAGE_GLOBAL_TILING_H_
#define IMAGE_GLOBAL_TILING_H_

#include <cstdint>

struct ImageGlobalTiling {
  uint32_t images, channels, planes;  // planes of an image: C0 channels each
  uint32_t pixels;                    // counts the pixels of a plane
  uint32_t tile_planes;               // counts the planes of one image that lie side by side in UB
  uint32_t tiles;                     // counts the tiles of an image
  uint64_t core_tiles;                // counts the tiles of every core but the last ones
};

#endif  // IMAGE_GLOBAL_TILING_H_
