// What the host tells the kernel. Plain data, shared by both sides.
#ifndef OPS_FUSED_DEQUANT_SWIGLU_QUANT_TILING_H_
#define OPS_FUSED_DEQUANT_SWIGLU_QUANT_TILING_H_

#include "elementwise_tiling.h"

struct DequantSwigluQuantTilingData {
  ElementwiseTiling view;
  uint32_t activate_left;  // 0 or 1
  uint32_t reserved;
};

#endif  // OPS_FUSED_DEQUANT_SWIGLU_QUANT_TILING_H_
