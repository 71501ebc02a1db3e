// What the host tells a convolution that is normalised. Plain data, shared by both sides.
#ifndef OPS_SHARED_CONV_BATCH_NORM_TILING_H_
#define OPS_SHARED_CONV_BATCH_NORM_TILING_H_

#include "conv_dense_tiling.h"

struct ConvBatchNormTiling {
  ConvDenseTiling conv;
  float epsilon;
  uint32_t reserved;
};

#endif  // OPS_SHARED_CONV_BATCH_NORM_TILING_H_
