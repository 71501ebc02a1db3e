// The matrices of a core, cut into columns and chunks of rows, in the order of the sums.
#ifndef CUM_SUM_UNITS_H_
#define CUM_SUM_UNITS_H_

#include "cum_sum_tiling.h"
#include "layout.h"

// Calls begin(columns) for every strip of columns of a matrix, then chunk(place in GM, rows,
// columns) for its rows.
template <typename Begin, typename Chunk>
__aicore__ inline void EveryChunk(const CumSumTiling& t, const Begin& begin, const Chunk& chunk) {
  const uint64_t across = (t.inner + t.width - 1) / t.width;
  const uint64_t first = AscendC::GetBlockIdx() * t.core_units;
  const uint64_t end = layout::Least(t.outer * across, first + t.core_units);
  const uint64_t chunks = (t.terms + t.chunk - 1) / t.chunk;
  for (uint64_t unit = first; unit < end; ++unit) {
    const uint64_t row = unit / across * t.terms, column = unit % across * t.width;
    const auto width = static_cast<uint32_t>(layout::Least(t.width, t.inner - column));
    begin(width);
    for (uint64_t i = 0; i < chunks; ++i) {
      const uint64_t term = (t.reverse != 0 ? chunks - 1 - i : i) * t.chunk;
      const auto rows = static_cast<uint32_t>(layout::Least(t.chunk, t.terms - term));
      chunk((row + term) * t.inner + column, rows, width);
    }
  }
}

#endif  // CUM_SUM_UNITS_H_
