// What the host tells a search along a dim. Plain data, shared by both sides.
#ifndef ARG_EXTREME_SEARCH_TILING_H_
#define ARG_EXTREME_SEARCH_TILING_H_

#include <cstdint>

// x is outer x terms x inner, y outer x inner. Where inner is 1, a row of x is searched as a matrix
// of `width` columns, whose last line overlaps the one before when they do not fill it.
struct SearchTiling {
  uint64_t outer, terms, inner;
  uint64_t core_units;  // counts for every core but the last ones: rows of x, or `width` of y
  uint32_t width;       // columns that are searched side by side
  uint32_t chunk;       // lines of them that pass through UB at once
  uint32_t tile;        // elements of these
  uint32_t last;        // 1: the last one of equal elements
};

constexpr uint32_t kSearchRepeat = 64;   // floats of a repeat: Compare takes whole ones
constexpr uint32_t kSearchResults = 64;  // counts rows whose results are stored together

#endif  // ARG_EXTREME_SEARCH_TILING_H_
