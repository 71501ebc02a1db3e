#include "opkit/core/modes/timed/l2_cache.h"

#include <algorithm>
#include <bit>

namespace opkit::core::timed {

L2Cache::Line& L2Cache::line_at(uint64_t line) {
  const uint64_t page = line / kPageLines;
  if (page != last_page_) {
    auto& lines = pages_[page];
    if (!lines) lines = std::make_unique<Line[]>(kPageLines);
    last_page_ = page;
    last_lines_ = lines.get();
  }
  return last_lines_[line % kPageLines];
}

L2Cache::Touched L2Cache::touch(uint64_t address, uint64_t bytes, bool write) {
  Touched touched;
  const uint64_t end = address + bytes;
  while (address < end) {
    const uint64_t base = address / kLine * kLine, stop = std::min(end, base + kLine);
    const auto first = static_cast<unsigned>((address - base) / kSector);
    const auto last = static_cast<unsigned>((stop - 1 - base) / kSector);
    const auto wanted = static_cast<uint8_t>(((2u << last) - 1) & ~((1u << first) - 1));
    Line& line = line_at(base / kLine);
    if (!present(line)) {
      line = {++clock_, 0};
      const size_t place = line.arrival % dirty_.size();
      if (dirty_[place]) touched.written_back += kLine;
      dirty_[place] = false;
    }
    const auto hits =
        static_cast<uint32_t>(std::popcount(static_cast<uint8_t>(line.sectors & wanted)));
    touched.hits += hits;
    touched.misses += static_cast<uint32_t>(std::popcount(wanted)) - hits;
    line.sectors |= wanted;
    if (write) dirty_[line.arrival % dirty_.size()] = true;
    address = stop;
  }
  return touched;
}

}  // namespace opkit::core::timed
