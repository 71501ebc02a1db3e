// What the host tells a CumSum. Plain data, shared by both sides.
#ifndef CUM_SUM_CUM_SUM_TILING_H_
#define CUM_SUM_CUM_SUM_TILING_H_

#include <cstdint>

// x and y are outer x terms x inner. Where inner is 1, a row of terms is cut into lines, which are
// added up side by side; else `width` columns are.
struct CumSumTiling {
  uint64_t outer, terms, inner;
  uint64_t core_units;  // counts for every core but the last ones: rows, or `width` columns
  uint32_t width;       // elements of a line, or columns
  uint32_t chunk;       // lines, or terms, that pass through UB at once
  uint32_t exclusive;   // 0 or 1
  uint32_t reverse;     // 0 or 1
};

constexpr uint32_t kCumSumBlock = 16;  // lines and columns begin blocks of every type; turned, too

#endif  // CUM_SUM_CUM_SUM_TILING_H_
