// Blocks of C on their way from panels of 16 columns to GM, L1 or UB.
#ifndef OPKIT_CORE_ISA_CUBE_STORE_C_H_
#define OPKIT_CORE_ISA_CUBE_STORE_C_H_

#include "opkit/core/isa/cube/convert.h"
#include "opkit/core/state/core.h"

namespace opkit::core {

struct BlockOfC {
  const uint8_t* panels = nullptr;  // elements of 4 bytes
  uint64_t panel_pitch = 0;         // bytes
  uint32_t m = 0, n = 0;
  Conversion conversion;
  bool to_nd = true;
  bool channel_split = false;  // NZ of 4-byte elements in panels of 8 columns instead of 16
  uint32_t element = 4;        // bytes of an element of the destination
  uint64_t dst_pitch = 0;      // bytes from row to row (ND) or from panel to panel (NZ)
};

// Columns in a panel of the destination, and bytes of one of its rows.
inline uint32_t nz_columns(const BlockOfC& b) {
  return b.channel_split ? 8 : b.element == 1 ? 32 : 16;
}
inline uint32_t nz_row_bytes(const BlockOfC& b) { return nz_columns(b) * b.element; }
// Counts bytes from the first to behind the last one of the destination.
uint64_t dst_extent(const BlockOfC& b);
// Returns what the block writes, seen from its first byte.
Access dst_access(const BlockOfC& b, const opk_operand& dst);

// Writes the block; to GM as the core's atomic mode says.
void store_block(Core& core, const BlockOfC& b, uint8_t* dst, bool to_gm);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_CUBE_STORE_C_H_
