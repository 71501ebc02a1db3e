#include "opkit/core/modes/timed/l2_cache.h"

namespace opkit::core::timed {

L2Cache::Rows L2Cache::touch_rows(uint64_t address, int64_t pitch, uint64_t row_bytes,
                                  uint64_t rows, bool write) {
  Rows sum;
  for (uint64_t r = 0; r < rows; ++r, address += static_cast<uint64_t>(pitch)) {
    const Touched touched = touch(address, row_bytes, write);
    sum.hits += touched.hits;
    sum.misses += touched.misses;
    sum.written_back += touched.written_back;
    sum.missed_rows += touched.misses > 0;
  }
  return sum;
}

L2Cache::Line* L2Cache::find_page(uint64_t page) {
  auto& lines = pages_[page];
  if (!lines) lines = std::make_unique<Line[]>(kPageLines);
  return lines.get();
}

}  // namespace opkit::core::timed
