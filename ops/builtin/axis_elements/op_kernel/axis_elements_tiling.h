// What the host tells an op that takes or leaves single elements along a dim. Plain data, shared by
// both sides.
#ifndef AXIS_ELEMENTS_AXIS_ELEMENTS_TILING_H_
#define AXIS_ELEMENTS_AXIS_ELEMENTS_TILING_H_

#include <cstdint>

// data is outer x places x inner, indices are outer x indices x inner. A line has the places of one
// index of the outer and of the inner dim. A tile has several lines: where inner is 1, lines across
// the outer dim, which are rows in UB, else lines across the inner dim, which are columns there.
struct AxisElementsTiling {
  uint64_t outer, places, indices, inner;
  uint64_t core_tiles;  // counts the tiles of every core but the last ones
  uint32_t across;      // 1: lines are rows
  uint32_t lines;       // counts the lines of a tile
  uint32_t chunk;       // places of a line that lie in UB at once
  uint32_t part;        // indices of a line that lie in UB at once
  uint32_t by_scalar;   // gather, 1: the scalar unit reads the elements where they lie
  uint32_t adds;        // scatter, 1: updates are added
};

constexpr uint32_t kAxisElementsStep = 16;  // rows of UB begin blocks, whatever they hold

#endif  // AXIS_ELEMENTS_AXIS_ELEMENTS_TILING_H_
