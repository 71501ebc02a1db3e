// What the host tells a search along a dim. Plain data, shared by both sides.
#ifndef ARG_EXTREME_SEARCH_TILING_H_
#define ARG_EXTREME_SEARCH_TILING_H_

#include <cstdint>

// x is outer x terms x inner, y outer x inner. Lanes are searched side by side, one line of them
// behind the other. Where inner is 1, a lane is a row of x, or one of the parts into which a row is
// cut, of which the last one overlaps the one before; else it is a column.
struct SearchTiling {
  uint64_t outer, terms, inner;
  uint64_t core_units;  // units of every core but the last ones
  uint32_t width;       // results of a unit: rows, or columns
  uint32_t parts;       // counts those of a row; 1 for columns
  uint32_t length;      // lines of a search: terms, or those of a part
  uint32_t lanes;       // counts those of a unit, in whole blocks
  uint32_t chunk;       // lines that pass through UB at once
  uint32_t tile;        // elements of these, in whole repeats
  uint32_t last;        // 1: the last one of equal elements
  uint32_t reserved;
};

constexpr uint32_t kSearchRepeat = 64;  // floats of a repeat: Compare takes whole ones
constexpr uint32_t kSearchLanes = 16;   // lanes that begin blocks of every type, turned, too

#endif  // ARG_EXTREME_SEARCH_TILING_H_
