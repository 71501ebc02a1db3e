#include "opkit/core/isa/cube/matrix.h"

namespace opkit::core {

StoredRectangle stored(const opk_matrix& m, uint32_t rows, uint32_t cols) {
  return m.transposed ? StoredRectangle{m.col0, m.row0, cols, rows}
                      : StoredRectangle{m.row0, m.col0, rows, cols};
}

Access matrix_access(const opk_matrix& m, uint32_t rows, uint32_t cols) {
  const StoredRectangle s = stored(m, rows, cols);
  const uint64_t c0 = c0_of(m);
  Access access;
  access.memory = static_cast<opk_memory>(m.data.memory);
  access.address = static_cast<const uint8_t*>(m.data.address) +
                   matrix_bytes(m, offset_of(m, s.row, m.nz ? s.col / c0 * c0 : s.col));
  access.block_bytes = static_cast<uint32_t>(m.nz ? 32 : matrix_bytes(m, s.cols));
  access.blocks = s.rows;
  access.block_pitch = static_cast<int64_t>(m.nz ? 32 : matrix_bytes(m, m.pitch));
  access.repeats = static_cast<uint32_t>(m.nz ? (s.col % c0 + s.cols + c0 - 1) / c0 : 1);
  access.repeat_pitch = static_cast<int64_t>(m.pitch * 32);
  access.dtype = m.data.dtype;
  access.buffer = m.data.buffer;
  return access;
}

}  // namespace opkit::core
