#include "opkit/core/modes/timed/l2_cache.h"

#include <algorithm>

namespace opkit::core::timed {

namespace {

uint32_t count(unsigned sectors) {
  static constexpr uint8_t kBits[] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  return kBits[sectors & 15];
}

}  // namespace

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
    const unsigned wanted = ((2u << last) - 1) & ~((1u << first) - 1);
    Line& line = line_at(base / kLine);
    if (!present(line)) {
      line.arrival = ++clock_;
      line.sectors = 0;
      const size_t place = line.arrival % dirty_.size();
      if (dirty_[place]) touched.written_back += kLine;
      dirty_[place] = false;
    }
    const unsigned there = static_cast<unsigned>(line.sectors);
    touched.hits += count(there & wanted);
    touched.misses += count(wanted & ~there);
    line.sectors = (there | wanted) & 15;
    if (write) dirty_[line.arrival % dirty_.size()] = true;
    address = stop;
  }
  return touched;
}

}  // namespace opkit::core::timed
