#include "opkit/atc/memory/fit.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "opkit/atc/memory/rank.h"
#include "opkit/atc/memory/sections.h"

namespace opkit::memory_plan {
namespace {

constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();
constexpr size_t kBuffersPerStep = 32;

// A height, and which of those that begin there: placements go upwards in this order.
struct Height {
  uint64_t offset = 0;
  size_t rank = 0;
  auto operator<=>(const Height&) const = default;
};

class Fitting {
 public:
  Fitting(const Buffers& buffers, uint64_t capacity, size_t order, size_t steps)
      : buffers_(buffers),
        capacity_(capacity),
        most_(steps),
        sections_(sections_of(buffers)),
        left_(sections_.in_use),
        least_(left_.size()),
        ranks_(ranks_of(buffers, sections_, order)),
        of_rank_(buffers.size()),
        offsets_(buffers.size()),
        placed_(buffers.size()),
        meets_(buffers.size()) {
    for (size_t a = 0; a < buffers.size(); ++a) {
      of_rank_[ranks_[a]] = a;
      for (size_t b = 0; b < buffers.size(); ++b)
        if (a != b && buffers[a].meets(buffers[b])) meets_[a].push_back(b);
    }
  }

  Fit run() {
    std::vector<size_t> all(buffers_.size());
    std::iota(all.begin(), all.end(), size_t{0});
    std::sort(all.begin(), all.end(),
              [&](size_t a, size_t b) { return sections_.lower[a] < sections_.lower[b]; });
    if (place_parts(all, {}))
      result_.offsets = offsets_;
    else
      result_.impossible = !ended();
    return std::move(result_);
  }

 private:
  using Some = std::vector<size_t>;  // buffers by the time at which they begin

  bool ended() const { return result_.steps >= most_; }

  // Buffers that share no time with those of another part.
  std::vector<Some> parts_of(const Some& left) const {
    std::vector<Some> parts;
    size_t end = 0;
    for (const size_t b : left) {
      if (parts.empty() || sections_.lower[b] >= end) parts.emplace_back();
      parts.back().push_back(b);
      end = std::max(end, sections_.upper[b]);
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Some& a, const Some& b) { return a.size() < b.size(); });
    return parts;
  }

  bool place_parts(const Some& left, Height from) {
    const std::vector<Some> parts = parts_of(left);
    return std::all_of(parts.begin(), parts.end(),
                       [&](const Some& part) { return place_part(part, from); });
  }

  bool place_part(const Some& part, Height from) {
    if (part.size() == 1) return fits(part[0], offsets_[part[0]]);
    if (!sections_fit(part, from)) return false;
    for (const Height move : moves(part, from)) {
      result_.steps += 1 + part.size() / kBuffersPerStep;
      if (ended()) return false;
      if (place(part, move)) return true;
    }
    return false;
  }

  bool fits(size_t b, uint64_t offset) const {
    return offset <= capacity_ && buffers_[b].size <= capacity_ - offset;
  }

  Height height(size_t b) const { return {offsets_[b], ranks_[b]}; }
  bool behind(size_t b, Height from) const { return height(b) >= from; }

  // Where a buffer can begin at the least: where it lies now or, when that is before what was
  // placed last, on top of one that is still to be placed.
  uint64_t least_offset(size_t b, Height from) const {
    if (behind(b, from)) return offsets_[b];
    uint64_t least = kNever;
    for (const size_t other : meets_[b]) {
      if (!placed_[other])
        least = std::min(least, std::max(offsets_[other], from.offset) + buffers_[other].size);
    }
    return least;
  }

  // What is left of each section begins at the least offset of its buffers, at the lowest.
  bool sections_fit(const Some& part, Height from) {
    const size_t first = sections_.lower[part[0]];
    size_t end = first;
    for (const size_t b : part) {
      std::fill(least_.begin() + diff(std::max(end, sections_.lower[b])),
                least_.begin() + diff(std::max(end, sections_.upper[b])), kNever);
      end = std::max(end, sections_.upper[b]);
    }
    for (const size_t b : part) {
      const uint64_t least = least_offset(b, from);
      if (!fits(b, least)) return false;
      for (size_t s = sections_.lower[b]; s < sections_.upper[b]; ++s)
        least_[s] = std::min(least_[s], least);
    }
    for (size_t s = first; s < end; ++s)
      if (least_[s] > capacity_ || left_[s] > capacity_ - least_[s]) return false;
    return true;
  }

  static std::ptrdiff_t diff(size_t index) { return static_cast<std::ptrdiff_t>(index); }

  // A buffer that begins above the end of another, which is still to be placed, leaves a hole into
  // which that one fits: some other arrangement is at least as good.
  std::vector<Height> moves(const Some& part, Height from) const {
    uint64_t lowest_end = kNever;
    for (const size_t b : part) lowest_end = std::min(lowest_end, offsets_[b] + buffers_[b].size);
    std::vector<Height> all;
    for (const size_t b : part)
      if (behind(b, from) && offsets_[b] < lowest_end) all.push_back(height(b));
    std::sort(all.begin(), all.end());
    return all;
  }

  bool place(const Some& part, Height move) {
    const size_t b = of_rank_[move.rank], placed = order_.size(), lifted = lifted_.size();
    put(b);
    if (lift(b, move.offset + buffers_[b].size) &&
        place_parts(without(part, b), {move.offset, move.rank + 1}))
      return true;
    take_back(placed);
    drop(lifted);
    return false;
  }

  void put(size_t b) {
    order_.push_back(b);
    placed_[b] = true;
    for (size_t s = sections_.lower[b]; s < sections_.upper[b]; ++s) left_[s] -= buffers_[b].size;
  }

  // The last ones, those of parts that have found their places included.
  void take_back(size_t placed) {
    for (; order_.size() > placed; order_.pop_back()) {
      const size_t b = order_.back();
      placed_[b] = false;
      for (size_t s = sections_.lower[b]; s < sections_.upper[b]; ++s) left_[s] += buffers_[b].size;
    }
  }

  // Lifts everything that meets a placed buffer on top of it.
  bool lift(size_t b, uint64_t top) {
    bool room = true;
    for (const size_t other : meets_[b]) {
      if (placed_[other] || offsets_[other] >= top) continue;
      lifted_.emplace_back(other, offsets_[other]);
      offsets_[other] = top;
      room = room && fits(other, top);
    }
    return room;
  }

  void drop(size_t mark) {
    for (; lifted_.size() > mark; lifted_.pop_back())
      offsets_[lifted_.back().first] = lifted_.back().second;
  }

  static Some without(const Some& part, size_t b) {
    Some rest;
    rest.reserve(part.size());
    std::remove_copy(part.begin(), part.end(), std::back_inserter(rest), b);
    return rest;
  }

  const Buffers& buffers_;
  uint64_t capacity_;
  size_t most_;
  Sections sections_;
  std::vector<uint64_t> left_;   // counts for each section the bytes that are still to be placed
  std::vector<uint64_t> least_;  // bounds each section from below while sections_fit() runs
  std::vector<size_t> ranks_, of_rank_;
  Offsets offsets_;  // tell where placed buffers lie, and the lowest place left for others
  std::vector<bool> placed_;
  std::vector<std::vector<size_t>> meets_;
  std::vector<size_t> order_;                        // the placed ones, the last at the end
  std::vector<std::pair<size_t, uint64_t>> lifted_;  // and where they lay before
  Fit result_;
};

}  // namespace

Fit fit(const Buffers& buffers, uint64_t capacity, size_t order, size_t steps) {
  return Fitting(buffers, capacity, order, steps).run();
}

}  // namespace opkit::memory_plan
