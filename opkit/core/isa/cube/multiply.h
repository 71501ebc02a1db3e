// C += A * B on panels: the arithmetic of Mmad and of the Matmul object.
//
// A: rows of `k` floats, a_pitch apart. B: panels of 16 columns, each k rows of 16 floats. C:
// panels of 16 columns, each c_rows rows of 16 elements; the layout of L0C.
//
// Order of accumulation, the same on every host: the start value first, then the products for k =
// 0, 1, 2 ..., one rounded addition each. Products of half and hf32 are exact in float, so that
// fusing them changes nothing; all other products are rounded by themselves.
#ifndef OPKIT_CORE_ISA_CUBE_MULTIPLY_H_
#define OPKIT_CORE_ISA_CUBE_MULTIPLY_H_

#include <cstdint>

#include "opkit/abi/types.h"

namespace opkit::core {

enum class Products : uint8_t {
  kExact,    // float sums of products that are exact in float
  kRounded,  // float sums of products that are rounded first
  kInteger   // int32 sums of products of at most 2^14
};

struct PanelProduct {
  const float* a = nullptr;
  const float* b = nullptr;
  void* c = nullptr;  // float or int32
  uint32_t rows = 0;  // multiple of 16
  uint32_t panels = 0;
  uint32_t k = 0;
  uint32_t a_pitch = 0;       // floats
  uint32_t b_panel_rows = 0;  // rows from panel to panel, at least k
  uint32_t c_rows = 0;        // rows from panel to panel in C
};

void multiply_panels(Products kind, const PanelProduct& p);

// count elements of dtype (half, bfloat16, float, int8, int4) as floats. hf32: 0 or the rounding of
// opk_mmad_v1, for float.
void expand_row(uint32_t dtype, const void* src, uint64_t first, uint32_t count, uint8_t hf32,
                float* dst);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_CUBE_MULTIPLY_H_
