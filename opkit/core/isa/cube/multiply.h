// C += A * B on panels: the arithmetic of Mmad and of the Matmul object.
//
// Order of accumulation, the same on every host and in every mode:
//  - half, float, hf32: the start value first, then the products for k = 0, 1, 2 ..., each added
//    with one rounding (fused multiply-add).
//  - bfloat16: 16 values of k at a time. Within such a group the products of even k and those of
//    odd k are summed apart, each from zero, in rising order and with one rounding per product;
//    even plus odd (rounded) is then added to C (rounded).
//  - integers: exact, modulo 2^32.
#ifndef OPKIT_CORE_ISA_CUBE_MULTIPLY_H_
#define OPKIT_CORE_ISA_CUBE_MULTIPLY_H_

#include <cstddef>
#include <cstdint>

#include "opkit/abi/types.h"
#include "opkit/core/read_ahead.h"

namespace opkit::core {

enum class Products : uint8_t {
  kExact,    // float sums of products that are exact in float: half, hf32
  kFused,    // float sums of products of floats
  kPairs,    // the order of bfloat16
  kInteger,  // int32 sums of products of at most 2^14
};

// k runs in stretches of `run` values (the last may be shorter), in A in pieces of 8. Pitches count
// floats. C: panels of 16 columns, each c_rows rows of 16 elements; the layout of L0C.
struct PanelProduct {
  const float* a = nullptr;
  size_t a_row = 0;          // from row to row within a block of 16 rows
  size_t a_eight = 8;        // from eight values of k to the next eight of a stretch
  size_t a_run = 0;          // from stretch to stretch
  size_t a_block = 0;        // from one block of 16 rows to the next
  const float* b = nullptr;  // a stretch of a panel is `run` rows of 16 floats
  size_t b_run = 0;
  size_t b_panel = 0;
  void* c = nullptr;  // float or int32
  uint32_t rows = 0, panels = 0, k = 0;
  uint32_t run = 0;     // at most 128; kPairs: a multiple of 16, or all of k; a_eight is 8 then
  uint32_t c_rows = 0;  // rows from panel to panel in C
  bool fresh = false;   // floats: start from zero and do not read C
  ReadAhead* ahead = nullptr;
};

void multiply_panels(Products kind, const PanelProduct& p);

// count elements of dtype (half, bfloat16, float, int8, int4) as floats. hf32: 0 or the rounding of
// opk_mmad_v1, for float.
void expand_row(uint32_t dtype, const void* src, uint64_t first, uint32_t count, uint8_t hf32,
                float* dst);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_CUBE_MULTIPLY_H_
