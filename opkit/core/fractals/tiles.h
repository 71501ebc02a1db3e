// Products of fractals by the host's matrix instructions (AMX), where there are any. They read
// fractals as L0A, L0B (turned, turn.h) and L0C hold them.
//
// The instructions flush subnormal numbers; for bfloat16 they may be used only when no operand, sum
// or result can be one: tiles_are_exact. Their order of accumulation is the one that multiply.h
// documents.
#ifndef OPKIT_CORE_FRACTALS_TILES_H_
#define OPKIT_CORE_FRACTALS_TILES_H_

#include <cstddef>
#include <cstdint>

#include "opkit/core/fractals/turn.h"

namespace opkit::core {

// Pitches in bytes. The fractals of C follow each other in m. Everything is whole fractals; what
// lies behind m, n and k is zero in A and B.
struct TileProduct {
  const uint8_t* a = nullptr;
  size_t a_step = 0;   // leads from one step of k to the next
  size_t a_block = 0;  // leads from one block of 16 rows to the next
  const uint8_t* b = nullptr;
  size_t b_run = 0;                            // leads from one step of k to the next
  size_t b_panel = 0;                          // leads from one panel of 16 columns to the next
  uint8_t* c = nullptr;                        // 16 x 16 elements of 4 bytes each
  size_t c_panel = 0;                          // leads from one panel to the next
  uint32_t blocks = 0, panels = 0, steps = 0;  // fractals along m, n and k
  bool integers = false;                       // int8 into int32; otherwise bfloat16 into float
  bool fresh = false;                          // start from zero and do not read C
};

// Tells whether this host has the instructions and lets us use them.
bool has_tiles();
// Tells whether bfloat16 products of such operands, added to such a C, are free of subnormal
// numbers.
bool tiles_are_exact(const Magnitudes& a, const Magnitudes& b, const Magnitudes& c);
// REQUIRES: has_tiles().
void multiply_tiles(const TileProduct& p);

}  // namespace opkit::core

#endif  // OPKIT_CORE_FRACTALS_TILES_H_
