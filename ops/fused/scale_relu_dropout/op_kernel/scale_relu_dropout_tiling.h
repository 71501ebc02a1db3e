// What the host's tiling function tells the kernel. Plain data, shared by both sides.
#ifndef SCALE_RELU_DROPOUT_TILING_H_
#define SCALE_RELU_DROPOUT_TILING_H_

#include <cstdint>

struct ScaleReluDropoutTilingData {
  uint64_t total;     // elements of the whole tensor
  uint64_t per_core;  // elements of every core but the last; a multiple of 32
  uint32_t tile;      // elements that one pass moves through UB; a multiple of 32
  float scale;
  float keep_prob;
};

#endif  // SCALE_RELU_DROPOUT_TILING_H_
