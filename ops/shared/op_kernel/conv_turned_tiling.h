// What the host tells a convolution whose dense image and filters are turned into the cube unit's
// formats first. Plain data, shared by both sides.
#ifndef OPS_SHARED_CONV_TURNED_TILING_H_
#define OPS_SHARED_CONV_TURNED_TILING_H_

#include "conv_tiling.h"

constexpr uint32_t kConvMostRows = 128;  // limits the channels of a block that is finished at once

struct ConvTurnedTiling {
  ConvTiling conv;      // describes the turned image and filters
  uint64_t image_at;    // bytes of the workspace before the turned image; slots are in front
  uint64_t filters_at;  // bytes of the workspace before the turned filters
  uint32_t pixels;      // counts pixels of the image that are turned at once, a multiple of 16
  uint32_t planes;      // counts planes of filters that are turned at once, for 16 filters
  uint32_t room;        // elements of a buffer in UB
  uint32_t row;         // elements of the longest row that is turned
};

#endif  // OPS_SHARED_CONV_TURNED_TILING_H_
