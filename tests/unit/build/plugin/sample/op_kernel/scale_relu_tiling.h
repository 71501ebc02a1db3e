#ifndef OPKIT_TESTS_UNIT_BUILD_PLUGIN_SAMPLE_OP_KERNEL_SCALE_RELU_TILING_H_
#define OPKIT_TESTS_UNIT_BUILD_PLUGIN_SAMPLE_OP_KERNEL_SCALE_RELU_TILING_H_
#include <cstdint>

struct ScaleReluTilingData {
  int64_t total;
  int32_t blockLength;
  float scale;
  int32_t axes[4];
};
#endif
