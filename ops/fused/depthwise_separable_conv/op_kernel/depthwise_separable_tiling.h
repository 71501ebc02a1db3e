// What the host tells a DepthwiseSeparableConv. Plain data, shared by both sides.
#ifndef DEPTHWISE_SEPARABLE_CONV_DEPTHWISE_SEPARABLE_TILING_H_
#define DEPTHWISE_SEPARABLE_CONV_DEPTHWISE_SEPARABLE_TILING_H_

#include "conv_tiling.h"
#include "kernel_tiling/kernel_tiling.h"
#include "window_tiling.h"

// Who convolves the channels of a tile of pixels: tiling keys.
constexpr uint32_t kOwnTiles = 1;     // the core that multiplies them
constexpr uint32_t kSharedTiles = 2;  // all cores, plane by plane of C0 channels; then they meet
constexpr uint32_t kSplitCores = 3;   // all vector cores; then cube cores of their own multiply
constexpr uint32_t kByTurns = 4;      // all cores; then cube and vector units work side by side

// Between its two convolutions a tile lies in a slot of the workspace, as FRACTAL_NZ of pixels x
// channels: planes of C0 channels, slot_pixels of each.
struct DepthwiseSeparableTiling {
  WindowTiling window;                // tiles of an image; an element is C0 channels of a pixel
  AscendC::tiling::TCubeTiling cube;  // a slot times the channels of a part
  uint64_t images;
  uint64_t parts;          // counts the parts of y that cores take: tiles x shares of the channels
  uint32_t channels;       // counts the channels of x
  uint32_t out_channels;   // counts the channels of y
  uint32_t part_channels;  // limits the channels of y that a part has
  uint32_t slot_pixels;    // a multiple of 16
  float depth_epsilon, point_epsilon;
  // kSplitCores, kByTurns: the second half as a convolution of an image in the workspace, NC1HWC0.
  ConvTiling conv;
  uint64_t image_at;  // behind its slots
};

#endif  // DEPTHWISE_SEPARABLE_CONV_DEPTHWISE_SEPARABLE_TILING_H_
