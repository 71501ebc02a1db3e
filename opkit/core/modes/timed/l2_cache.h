// L2Cache: which bytes of GM are in L2. Lines of 512 bytes in four sectors of 128 bytes (the unit
// that the vendor's profiler counts), replaced in the order in which they came.
#ifndef OPKIT_CORE_MODES_TIMED_L2_CACHE_H_
#define OPKIT_CORE_MODES_TIMED_L2_CACHE_H_

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace opkit::core::timed {

class L2Cache {
 public:
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
  // Brings [address, address + bytes) in.
  Touched touch(uint64_t address, uint64_t bytes, bool write);

 private:
  static constexpr uint64_t kLine = 512, kSector = 128, kPageLines = 4096;

  // arrival: 1 + number of lines that came before it, 0 = never; 60 bits of it fit.
  struct Line {
    uint64_t arrival : 60;
    uint64_t sectors : 4;
  };

  Line& line_at(uint64_t line);
  bool present(const Line& line) const {
    return line.arrival > emptied_at_ && clock_ - line.arrival < dirty_.size();
  }

  uint64_t clock_ = 0, emptied_at_ = 0;
  std::vector<bool> dirty_;  // by arrival modulo capacity
  std::unordered_map<uint64_t, std::unique_ptr<Line[]>> pages_;
  uint64_t last_page_ = UINT64_MAX;
  Line* last_lines_ = nullptr;
};

}  // namespace opkit::core::timed

#endif  // OPKIT_CORE_MODES_TIMED_L2_CACHE_H_
