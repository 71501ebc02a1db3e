// The squares that LoadDataWithTranspose turns, and LoadData with ifTranspose.
#ifndef OPKIT_CORE_ISA_CUBE_TURN_SQUARE_H_
#define OPKIT_CORE_ISA_CUBE_TURN_SQUARE_H_

#include <cstdint>
#include <cstring>

#include "opkit/core/fractals/fractal.h"
#include "opkit/core/fractals/turn.h"

namespace opkit::core {

// Fractal j, row r, column c of the result is row c, column 16 j + r of the square.
inline void turn_b8(const uint8_t* in, uint32_t j, uint8_t* out) {
  for (uint32_t r = 0; r < 16; ++r) {
    for (uint32_t c = 0; c < 32; ++c) out[r * 32 + c] = in[c * 32 + j * 16 + r];
  }
}

inline void turn_b4(const uint8_t* in, uint32_t j, uint8_t* out) {
  const auto nibble = [&](uint32_t at) { return in[at / 2] >> (at % 2 * 4) & 15; };
  for (uint32_t r = 0; r < 16; ++r) {
    for (uint32_t c = 0; c < 64; c += 2) {
      const uint32_t column = j * 16 + r;
      out[(r * 64 + c) / 2] =
          static_cast<uint8_t>(nibble(c * 64 + column) | nibble((c + 1) * 64 + column) << 4);
    }
  }
}

// The square is a left and a right fractal of 16 x 8; result j has the source's rows 8 j to 8 j + 7
// as columns.
inline void turn_b32(const uint8_t* in, uint32_t j, uint8_t* out) {
  for (uint32_t r = 0; r < 16; ++r) {
    for (uint32_t c = 0; c < 8; ++c) {
      const uint8_t* from = in + r / 8 * kFractal + ((8 * j + c) * 8 + r % 8) * 4;
      std::memcpy(out + (r * 8 + c) * 4, from, 4);
    }
  }
}

// Writes fractal j of the square at `in` turned: 64x64 elements of 4 bits, 32x32 of 8, 16x16 of 16
// and of 32 bits. The square is whole fractals that follow each other.
inline void turn_square(uint32_t bits, const uint8_t* in, uint32_t j, uint8_t* out) {
  switch (bits) {
    case 4: return turn_b4(in, j, out);
    case 8: return turn_b8(in, j, out);
    case 16: return turn_halves(in, out);
    default: return turn_b32(in, j, out);
  }
}

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_CUBE_TURN_SQUARE_H_
