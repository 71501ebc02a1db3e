// CubeScratch: what the cube unit of one core keeps between instructions: operands expanded to
// float, and the blocks that Matmul objects have computed but not yet stored.
#ifndef OPKIT_CORE_STATE_CUBE_SCRATCH_H_
#define OPKIT_CORE_STATE_CUBE_SCRATCH_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "opkit/core/fractals/aligned_row.h"
#include "opkit/core/fractals/read_ahead.h"

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
  ReadAhead ahead;
  std::vector<MatmulBlock> blocks;
  std::vector<uint8_t> sparse_index;  // 128 bytes per fractal of L0B
  std::shared_ptr<LentMemory> lent;   // made when an object first wants it

  // Makes the scratch ready for the next block of the launch; buffers stay.
  void clear() {
    ahead.clear();
    blocks.clear();
  }
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_CUBE_SCRATCH_H_
