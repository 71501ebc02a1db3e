// What the host tells the kernel. Plain data, shared by both sides.
#ifndef OPS_FUSED_QUANT_CONV_ADD_REQUANT_TILING_H_
#define OPS_FUSED_QUANT_CONV_ADD_REQUANT_TILING_H_

#include "conv_tiling.h"

struct QuantConvAddRequantTilingData {
  ConvTiling conv;
  uint32_t relu;       // 0 or 1
  uint32_t one_scale;  // 0 or 1
};

#endif  // OPS_FUSED_QUANT_CONV_ADD_REQUANT_TILING_H_
