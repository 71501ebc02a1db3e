// What the host tells a Pad. Plain data, shared by both sides.
#ifndef PAD_PAD_TILING_H_
#define PAD_PAD_TILING_H_

#include <cstdint>

constexpr uint32_t kPadDims = 8;
enum PadMode : uint32_t { kPadConstant, kPadEdge, kPadReflect };

struct PadPieces {
  uint64_t x_stride[kPadDims];  // the last dim's is 1
  uint64_t y_stride[kPadDims];
  int64_t size[kPadDims];  // measures x
  int64_t before[kPadDims];
  int64_t after[kPadDims];
  uint32_t dims;  // 0: y has no element
  uint32_t mode;
  uint32_t capacity;  // elements of a tile, whole blocks
  float value;
};

#endif  // PAD_PAD_TILING_H_
