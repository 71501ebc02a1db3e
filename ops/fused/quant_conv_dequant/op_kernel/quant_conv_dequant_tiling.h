// What the host tells the kernel. Plain data, shared by both sides.
#ifndef OPS_FUSED_QUANT_CONV_DEQUANT_TILING_H_
#define OPS_FUSED_QUANT_CONV_DEQUANT_TILING_H_

#include "conv_tiling.h"

struct QuantConvDequantTilingData {
  ConvTiling conv;
  uint32_t which;      // the activation
  uint32_t one_scale;  // 0 or 1
};

#endif  // OPS_FUSED_QUANT_CONV_DEQUANT_TILING_H_
