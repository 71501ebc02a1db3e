// L2Cache: which bytes of GM are in L2. Lines of 512 bytes in four sectors of 128 bytes (the unit
// that the vendor's profiler counts), replaced in the order in which they came.
#ifndef OPKIT_CORE_MODES_TIMED_L2_CACHE_H_
#define OPKIT_CORE_MODES_TIMED_L2_CACHE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace opkit::core::timed {

class L2Cache {
 public:
  static constexpr uint64_t kSector = 128;  // bytes
  static uint64_t sectors(uint64_t address, uint64_t bytes) {
    return (address + bytes + kSector - 1) / kSector - address / kSector;
  }

  struct Touched {
    uint32_t hits = 0, misses = 0;  // sectors
    uint32_t written_back = 0;      // bytes of dirty lines that had to leave
  };

  explicit L2Cache(uint64_t bytes) : dirty_(bytes / kLine ? bytes / kLine : 1) {}

  // Empties it; keeps its memory.
  void reset() {
    emptied_at_ = clock_;
    dirty_.assign(dirty_.size(), false);
  }
  // Brings [address, address + bytes) in. REQUIRES: bytes > 0.
  Touched touch(uint64_t address, uint64_t bytes, bool write) {
    Touched touched;
    const uint64_t end = address + bytes;
    for (uint64_t line = address / kLine; line <= (end - 1) / kLine; ++line) {
      const uint64_t base = line * kLine;
      const auto first = static_cast<unsigned>(address > base ? (address - base) / kSector : 0);
      const auto last = static_cast<unsigned>(end < base + kLine ? (end - 1 - base) / kSector : 3);
      touch_sectors(line, ((2u << last) - 1) & ~((1u << first) - 1), write, touched);
    }
    return touched;
  }

  struct Rows {
    uint64_t hits = 0, misses = 0;  // sectors
    uint64_t missed_rows = 0, written_back = 0;
  };
  // Touches rows of equal length.
  Rows touch_rows(uint64_t address, int64_t pitch, uint64_t row_bytes, uint64_t rows, bool write);

 private:
  static constexpr uint64_t kLine = 512, kPageLines = 4096;

  // arrival: 1 + number of lines that came before it, 0 = never; 60 bits of it fit.
  struct Line {
    uint64_t arrival : 60;
    uint64_t sectors : 4;
  };
  // A page that was used lately.
  struct KnownPage {
    uint64_t page = UINT64_MAX;
    Line* lines = nullptr;
  };

  static uint32_t count(unsigned sectors) {
    return static_cast<uint32_t>(0x4332322132212110u >> (sectors & 15) * 4 & 15);
  }
  Line& line_at(uint64_t line) {
    const uint64_t page = line / kPageLines;
    if (page == last_.page) return last_.lines[line % kPageLines];
    KnownPage& known = known_[page * 0x9e3779b97f4a7c15u >> 58];
    if (known.page != page) known = {page, find_page(page)};
    last_ = known;
    return known.lines[line % kPageLines];
  }
  Line* find_page(uint64_t page);
  bool present(const Line& line) const {
    return line.arrival > emptied_at_ && clock_ - line.arrival < dirty_.size();
  }
  // Where in dirty_ the line is that came `age` lines before the last one.
  uint64_t place(uint64_t age) const {
    return newest_ >= age ? newest_ - age : newest_ + dirty_.size() - age;
  }

  void touch_sectors(uint64_t index, unsigned wanted, bool write, Touched& touched) {
    Line& line = line_at(index);
    if (!present(line)) {
      line.arrival = ++clock_;
      line.sectors = 0;
      if (++newest_ == dirty_.size()) newest_ = 0;
      if (dirty_[newest_]) touched.written_back += kLine;
      dirty_[newest_] = false;
    }
    const unsigned there = static_cast<unsigned>(line.sectors);
    touched.hits += count(there & wanted);
    touched.misses += count(wanted & ~there);
    line.sectors = (there | wanted) & 15;
    if (write) dirty_[place(clock_ - line.arrival)] = true;
  }

  uint64_t clock_ = 0, emptied_at_ = 0;
  std::vector<bool> dirty_;  // is indexed by arrival modulo capacity
  uint64_t newest_ = 0;      // place of the last arrival
  std::unordered_map<uint64_t, std::unique_ptr<Line[]>> pages_;
  std::array<KnownPage, 64> known_;
  KnownPage last_;
};

}  // namespace opkit::core::timed

#endif  // OPKIT_CORE_MODES_TIMED_L2_CACHE_H_
