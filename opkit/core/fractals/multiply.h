// C += A * B on panels: the arithmetic of Mmad and of the Matmul object.
//
// Order of accumulation, the same on every host and in every mode:
//  - half, float, hf32: the start value first, then the products for k = 0, 1, 2 ..., each added
//    with one rounding (fused multiply-add).
//  - bfloat16: 16 values of k at a time. Within such a group the products of even k and those of
//    odd k are summed apart, each from zero, in rising order and with one rounding per product;
//    even plus odd (rounded) is then added to C (rounded).
//  - integers: exact, modulo 2^32.
#ifndef OPKIT_CORE_FRACTALS_MULTIPLY_H_
#define OPKIT_CORE_FRACTALS_MULTIPLY_H_

#include <cstddef>
#include <cstdint>

#include "opkit/core/fractals/read_ahead.h"

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
  size_t a_row = 0;    // leads from row to row within a block of 16 rows
  size_t a_eight = 8;  // leads from eight values of k to the next eight of a stretch
  size_t a_run = 0;    // leads from stretch to stretch
  size_t a_block = 0;  // leads from one block of 16 rows to the next
  float* b = nullptr;  // a stretch of a panel is `run` rows of 16 floats
  size_t b_run = 0;
  size_t b_panel = 0;
  void* c = nullptr;  // float or int32
  uint32_t rows = 0, panels = 0, k = 0;
  uint32_t run = 0;  // is at most 128; kPairs: a multiple of 16, or all of k; a_eight is 8 then
  // Not 0: only so many values of every stretch of k are multiplied, because behind them A and B
  // hold nothing but +0 (live_values.h). k is whole stretches then.
  uint32_t live = 0;
  uint32_t c_rows = 0;  // rows from panel to panel in C
  bool fresh = false;   // floats: start from zero and do not read C
  ReadAhead* ahead = nullptr;
  // B where it still lies as rows in GM, elements of 4 bytes (kFused) or halves (kExact): it comes
  // to b while the first rows of C are computed. REQUIRES: packs_rows(), whole stretches of k.
  const uint8_t* b_rows = nullptr;
  size_t b_row_pitch = 0;  // bytes
  bool* b_nan = nullptr;   // becomes true when a half is NaN
};

// Tells whether products of this kind can bring rows of B to b on their way.
bool packs_rows(Products kind, const PanelProduct& p);
void multiply_panels(Products kind, const PanelProduct& p);

}  // namespace opkit::core

#endif  // OPKIT_CORE_FRACTALS_MULTIPLY_H_
