// What the host tells a ConvTranspose. Plain data, shared by both sides.
#ifndef CONV_TRANSPOSE_CONV_TRANSPOSE_TILING_H_
#define CONV_TRANSPOSE_CONV_TRANSPOSE_TILING_H_

#include "kernel_tiling/kernel_tiling.h"

// How sums become rows of y: tiling keys.
constexpr uint32_t kStampsSideBySide = 1;  // strides of 1: they are rows
constexpr uint32_t kStampsApart = 2;       // every stride'th element lies in a plane of its own

constexpr uint32_t kStampStep = 16;  // rows of UB begin blocks of every type

// Describes one dim.
struct StampTiling {
  uint32_t size, out_size;  // measure x, y
  uint32_t filter, stride, dilation, pad;
  uint32_t tile;    // measures what of y lies in UB
  uint32_t phases;  // the least of stride and tile: places of a tile that see other elements of
                    // the filter
};

// Stamps are a matrix: channels of y x elements of a filter's plane, times pixels of x. A part of y
// is made of one group's stamps, whose rows of x are all that the part sees.
struct ConvTransposeTiling {
  AscendC::tiling::TCubeTiling cube;  // cuts a part's stamps
  uint64_t parts;
  uint64_t core_stamps;  // elements of the workspace of a core
  uint32_t groups;
  uint32_t in_channels;    // counts the channels of a group
  uint32_t out_channels;   // counts the channels of a group
  uint32_t part_channels;  // counts the channels of y
  uint32_t part_rows;      // counts the rows of y
  uint32_t has_bias;       // 0 or 1
  StampTiling down, across;
  uint32_t plane_rows;   // counts the rows of one phase's sums in UB
  uint32_t plane_pitch;  // elements from row to row of them
};

#endif  // CONV_TRANSPOSE_CONV_TRANSPOSE_TILING_H_
