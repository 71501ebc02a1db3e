// Operands of the Matmul object where they lie.
#ifndef OPKIT_CORE_ISA_CUBE_MATRIX_H_
#define OPKIT_CORE_ISA_CUBE_MATRIX_H_

#include <cstdint>

#include "opkit/core/isa/operand.h"
#include "opkit/core/state/footprint.h"

namespace opkit::core {

// A rectangle of the stored matrix.
struct StoredRectangle {
  uint32_t row, col, rows, cols;
};

// Where `rows` x `cols` of the operand, from m.row0 and m.col0 on, are stored.
StoredRectangle stored(const opk_matrix& m, uint32_t rows, uint32_t cols);

// Elements in a row of a panel of FRACTAL_NZ.
inline uint64_t c0_of(const opk_matrix& m) { return 32 * 8 / dtype_bits(m.data.dtype); }

// Counts the bytes of elements that begin on a byte; int4b_t takes half a byte.
inline uint64_t matrix_bytes(const opk_matrix& m, uint64_t elements) {
  return (elements * dtype_bits(m.data.dtype) + 7) / 8;
}

// Place of an element of the stored matrix, in elements.
inline uint64_t offset_of(const opk_matrix& m, uint64_t row, uint64_t col) {
  const uint64_t c0 = c0_of(m);
  return m.nz ? (col / c0 * m.pitch + row) * c0 + col % c0 : row * m.pitch + col;
}

// Returns the bytes of that rectangle; panels of FRACTAL_NZ are the repeats.
Access matrix_access(const opk_matrix& m, uint32_t rows, uint32_t cols);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_CUBE_MATRIX_H_
