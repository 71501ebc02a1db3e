// What the host tells a convolution of dense images. Plain data, shared by both sides.
#ifndef OPS_SHARED_CONV_DENSE_TILING_H_
#define OPS_SHARED_CONV_DENSE_TILING_H_

#include "conv_turned_tiling.h"
#include "kernel_tiling/kernel_tiling.h"
#include "window_tiling.h"

// How the products come about: tiling keys.
constexpr uint32_t kConvPlain = 1;    // filters of one element: x is the matrix
constexpr uint32_t kConvWindows = 2;  // every core gathers the windows of its pixels first
constexpr uint32_t kConvPlanes = 3;   // a channel of y sees one of x: the vector unit multiplies
constexpr uint32_t kConvTurned = 4;   // all cores turn x and w into the cube unit's formats first
constexpr uint32_t kConvTurnedByTurns = 5;  // so do cores that are both kinds

// y of every image and group is a matrix, channels x pixels: the filters, channels x k, times the
// windows, k x pixels.
struct ConvDenseTiling {
  WindowTiling window;                // kConvWindows: the pixels of one image
  AscendC::tiling::TCubeTiling cube;  // cuts a part of y; a finish is given baseM x baseN sums
  ConvTurnedTiling turned;            // kConvTurned, kConvTurnedByTurns
  uint64_t images, groups;
  uint64_t image_pixels;   // counts the pixels of an image of y
  uint64_t parts;          // shares of all cores
  uint32_t in_channels;    // counts the channels of a group
  uint32_t out_channels;   // counts the channels of a group
  uint32_t k;              // in_channels x the elements of a filter's plane
  uint32_t part_channels;  // counts the channels of y that a part has
  uint32_t part_pixels;    // limits the pixels of y that a part has
  uint32_t has_bias;       // 0 or 1
  // 0 or 1: all cores gather the windows of all pixels, and then multiply them by some channels
  // each, because there are fewer tiles of pixels than cores.
  uint32_t shared_windows;
  uint32_t reserved;
};

#endif  // OPS_SHARED_CONV_DENSE_TILING_H_
