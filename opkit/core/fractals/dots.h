// Products of bfloat16 fractals by the host's dot products of pairs (AVX512_BF16), for hosts that
// have no matrix instructions (tiles.h). They flush subnormal numbers like those, and keep the same
// order of accumulation.
#ifndef OPKIT_CORE_FRACTALS_DOTS_H_
#define OPKIT_CORE_FRACTALS_DOTS_H_

#include "opkit/core/fractals/tiles.h"

namespace opkit::core {

// Tells whether this host has the instruction and lets us use it.
bool has_dots();
// REQUIRES: has_dots(), tiles_are_exact() of the operands, !p.integers.
void multiply_dots(const TileProduct& p);

}  // namespace opkit::core

#endif  // OPKIT_CORE_FRACTALS_DOTS_H_
