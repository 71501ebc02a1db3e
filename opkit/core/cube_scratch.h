// CubeScratch: what the cube unit of one core keeps between instructions: operands expanded to
// float, what L1 holds without showing it, its halves as floats, mirrors of L0A and L0B, and the
// blocks that Matmul objects have computed but not yet stored.
#ifndef OPKIT_CORE_CUBE_SCRATCH_H_
#define OPKIT_CORE_CUBE_SCRATCH_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "opkit/core/aligned_row.h"
#include "opkit/core/l0_mirror.h"
#include "opkit/core/l1_floats.h"
#include "opkit/core/panel_views.h"
#include "opkit/core/read_ahead.h"

namespace opkit::core {

// A block of C that a Matmul object has computed, as panels of 16 columns.
struct MatmulBlock {
  uint64_t owner = 0;  // address of the object
  uint32_t m = 0, n = 0;
  std::vector<float> panels;  // int32 products hold their bits
};

class LentMemory;

struct CubeScratch {
  AlignedRow<float> a, b, edge;
  PanelViews l1;
  L1Floats l1_floats;
  L0Mirror l0a, l0b;
  ReadAhead ahead;
  std::vector<MatmulBlock> blocks;
  std::vector<uint8_t> sparse_index;  // 128 bytes per fractal of L0B
  std::shared_ptr<LentMemory> lent;   // made when an object first wants it

  // For the next block of the launch; buffers stay.
  void clear() {
    l1.clear();
    l1_floats.clear();
    l0a.clear();
    l0b.clear();
    ahead.clear();
    blocks.clear();
  }
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_CUBE_SCRATCH_H_
