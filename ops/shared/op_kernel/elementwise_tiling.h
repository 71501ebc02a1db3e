// What the host tells an element-wise kernel: how the tensors are seen as rows and columns, and
// which part of them is a core's. Plain data, shared by both sides.
#ifndef OPS_SHARED_ELEMENTWISE_TILING_H_
#define OPS_SHARED_ELEMENTWISE_TILING_H_

#include <cstdint>

constexpr uint32_t kElementwiseInputs = 6;     // at most
constexpr uint32_t kElementwiseOuterDims = 7;  // at most

// An element of an input stands for every row and column along which the input's stride is 0.
// Counts and strides are in elements. Row r has, in the dims outside the columns, the index that
// row-major counting gives it.
struct ElementwiseTiling {
  uint64_t rows;       // 1 where nothing is broadcast
  uint64_t columns;    // elements of a row
  uint64_t core_rows;  // rows of every core but the last ones
  uint64_t
      core_columns;    // columns of every core but the last ones: all, or a multiple of 512 bytes
  uint32_t tile_rows;  // rows that one pass moves through UB
  uint32_t tile_columns;  // columns of them
  uint32_t tile;          // elements of a buffer in UB
  uint32_t outer_dims;
  uint64_t outer_size[kElementwiseOuterDims];
  uint64_t outer_stride[kElementwiseInputs][kElementwiseOuterDims];
  uint32_t column_stride[kElementwiseInputs];  // 0 or 1
};

#endif  // OPS_SHARED_ELEMENTWISE_TILING_H_
