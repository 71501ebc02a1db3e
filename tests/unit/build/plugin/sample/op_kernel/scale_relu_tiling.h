#ifndef SCALE_RELU_TILING_H
#define SCALE_RELU_TILING_H
#include <cstdint>

struct ScaleReluTilingData {
  int64_t total;
  int32_t blockLength;
  float scale;
  int32_t axes[4];
};
#endif
