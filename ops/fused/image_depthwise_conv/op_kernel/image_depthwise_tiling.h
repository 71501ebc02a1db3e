// What the host tells a depthwise convolution. Plain data, shared by both sides.
#ifndef IMAGE_DEPTHWISE_TILING_H_
#define IMAGE_DEPTHWISE_TILING_H_

#include "bending_tiling.h"
#include "image_pool_tiling.h"

struct ImageDepthwiseTiling {
  ImagePoolTiling image;
  uint32_t channels;
  uint32_t has_bias;  // 0 or 1
  uint32_t which;     // bending_tiling.h
  float least, most, alpha;
};

#endif  // IMAGE_DEPTHWISE_TILING_H_
