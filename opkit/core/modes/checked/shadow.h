// ShadowMap: what is known about every byte of one memory or GM tensor, kept as runs of bytes that
// share their history. A tile that one instruction writes and another reads is one run.
#ifndef OPKIT_CORE_MODES_CHECKED_SHADOW_H_
#define OPKIT_CORE_MODES_CHECKED_SHADOW_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "opkit/core/state/footprint.h"

namespace opkit::core::checked {

// kPanels: a change from rows into several columns of fractals. kTable: a copy into the Fixpipe
// buffer, which one page puts on FIX and another on MTE1.
enum class PartyKind : uint8_t { kNone, kPlain, kAtomic, kPanels, kTable };

// An instruction that touched bytes.
struct Party {
  uint32_t epoch = 0;       // is an epoch of its pipe
  uint32_t occurrence = 0;  // n-th execution of the site in its core
  uint32_t site = 0;
  uint32_t core = 0;
  uint8_t pipe = 0;  // slot, see clocks.h
  PartyKind kind = PartyKind::kNone;
  bool unit_flag = false;   // the hardware orders it with others of the kind
  bool small_mmad = false;  // a product so small that the next one starts before it has ended

  bool same_origin(const Party& o) const {
    return epoch == o.epoch && site == o.site && core == o.core && pipe == o.pipe &&
           kind == o.kind && unit_flag == o.unit_flag && small_mmad == o.small_mmad;
  }
};

// kUnset: written with a value that was made of bytes that nothing has written.
enum class Written : uint8_t { kNever, kPerhaps, kUnset, kYes };

struct Segment {
  static constexpr int kReaders = 4;

  uint32_t begin = 0;  // byte within the page
  Written written = Written::kNever;
  uint8_t reader_count = 0;
  uint8_t bits = 0;     // kUnset: which of every byte
  uint32_t origin = 0;  // kUnset: index in State::origins
  Party writer;
  Party readers[kReaders];  // since the last write, one per core and pipe; the oldest is dropped

  bool same_history(const Segment& o) const;
  void add_reader(const Party& reader);
};

class ShadowMap {
 public:
  static constexpr uint64_t kPageBytes = 16384;

  // Forgets everything; every byte is as `written` says.
  void reset(uint64_t bytes, Written written);
  uint64_t bytes() const { return bytes_; }

  // The state of the bytes from `at` on, and how many of them share it; who wrote them last.
  struct Known {
    Written written;
    uint64_t bytes;
    Party writer;
    uint8_t bits = 0;
    uint32_t origin = 0;
  };
  Known at(uint64_t at) const;

  // Calls f(Segment&, first byte, bytes) for runs that cover [begin, begin + bytes) exactly; f may
  // change them.
  template <typename F>
  void visit(uint64_t begin, uint64_t bytes, F&& f) {
    const uint64_t end = std::min(begin + bytes, bytes_);
    while (begin < end) {
      const uint64_t base = begin / kPageBytes * kPageBytes;
      const uint64_t stop = std::min(end, base + kPageBytes);
      visit_page(base, static_cast<uint32_t>(begin - base), static_cast<uint32_t>(stop - base), f);
      begin = stop;
    }
  }

 private:
  using Page = std::vector<Segment>;

  // Returns the segment that holds the byte, the byte behind a segment, and whether a neighbour is
  // equal.
  static size_t find(const Page& page, uint32_t at);
  static uint32_t end_of(const Page& page, size_t i) {
    return i + 1 < page.size() ? page[i + 1].begin : kPageBytes;
  }
  static bool has_twin(const Page& page, size_t i);
  static size_t split(Page& page, uint32_t at);
  static void merge(Page& page, size_t first, size_t last);
  Page& page_at(uint64_t base);

  template <typename F>
  void visit_page(uint64_t base, uint32_t from, uint32_t to, F&& f) {
    Page& page = page_at(base);
    const size_t whole = find(page, from);
    if (page[whole].begin == from && end_of(page, whole) == to) {
      f(page[whole], base + from, to - from);
      if (has_twin(page, whole)) merge(page, whole, whole + 1);
      return;
    }
    const size_t first = split(page, from);
    const size_t last = to == kPageBytes ? page.size() : split(page, to);
    for (size_t i = first; i < last; ++i) {
      f(page[i], base + page[i].begin, std::min(end_of(page, i), to) - page[i].begin);
    }
    if (page.size() > 1) merge(page, first, last);
  }

  uint64_t bytes_ = 0;
  Written initial_ = Written::kNever;
  std::vector<Page> pages_;  // an empty page is one run of `initial_`
};

// Tells whether some of the bytes may be left alone, and it is not known which.
inline bool is_vague(const Access& a) { return a.partial && a.lane_bytes == 0; }

// One run of bytes, of one repeat.
inline bool is_one_run(const Access& a) { return a.repeats <= 1 && is_dense(a); }

// Returns the place behind the last byte, where pitches do not go backwards.
inline const uint8_t* end_of(const Access& a) {
  return a.address + (std::max(a.repeats, 1u) - 1) * std::max<int64_t>(a.repeat_pitch, 0) +
         (std::max(a.blocks, 1u) - 1) * std::max<int64_t>(a.block_pitch, 0) + a.block_bytes;
}

// Calls f(address, bytes) for the elements under the mask of one repeat, neighbours joined.
template <typename F>
void for_each_lane(const Access& a, const uint8_t* repeat, F&& f) {
  const uint32_t end = a.block_bytes * a.blocks / a.lane_bytes;
  const auto takes_part = [&](uint32_t i) { return a.lanes[i / 64] >> (i % 64) & 1; };
  for (uint32_t i = 0; i < end; ++i) {
    if (!takes_part(i)) continue;
    const uint32_t byte = i * a.lane_bytes, in_block = byte % a.block_bytes;
    uint32_t n = a.lane_bytes;
    while (in_block + n < a.block_bytes && takes_part(i + 1)) n += a.lane_bytes, ++i;
    f(repeat + byte / a.block_bytes * a.block_pitch + in_block, uint64_t{n});
  }
}

// Calls f(address, bytes) for the runs of an access, adjacent blocks joined.
template <typename F>
void for_each_run(const Access& a, F&& f) {
  if (a.lane_bytes) {
    for (uint32_t r = 0; r < a.repeats; ++r) for_each_lane(a, a.address + r * a.repeat_pitch, f);
    return;
  }
  const bool dense = a.blocks <= 1 || a.block_pitch == a.block_bytes;
  const uint64_t row = dense ? uint64_t{a.block_bytes} * a.blocks : a.block_bytes;
  const uint32_t blocks = dense || a.block_pitch == 0 ? 1 : a.blocks;
  const uint32_t repeats = a.repeat_pitch == 0 ? std::min(a.repeats, 1u) : a.repeats;
  if (dense && repeats > 1 && a.repeat_pitch == static_cast<int64_t>(row)) {
    f(a.address, row * repeats);
    return;
  }
  for (uint32_t r = 0; r < repeats; ++r) {
    for (uint32_t b = 0; b < blocks; ++b)
      f(a.address + r * a.repeat_pitch + b * a.block_pitch, row);
  }
}

}  // namespace opkit::core::checked

#endif  // OPKIT_CORE_MODES_CHECKED_SHADOW_H_
