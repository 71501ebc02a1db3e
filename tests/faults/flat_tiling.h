// The tiling of an element-wise kernel whose tensors all have one shape.
#ifndef TESTS_FAULTS_FLAT_TILING_H_
#define TESTS_FAULTS_FLAT_TILING_H_

#include <cstdint>

namespace faults {

// total, core and tile are elements: of a tensor, of a core's share, of a pass through UB.
template <typename Tiling>
Tiling flat_tiling(uint64_t total, uint64_t core, uint32_t tile) {
  Tiling tiling = {};
  tiling.rows = tiling.core_rows = 1;
  tiling.columns = tiling.y_stride = total;
  tiling.core_columns = core;
  tiling.tile_rows = 1;
  tiling.tile_columns = tiling.tile = tile;
  for (uint32_t& stride : tiling.column_stride) stride = 1;
  return tiling;
}

}  // namespace faults

#endif  // TESTS_FAULTS_FLAT_TILING_H_
