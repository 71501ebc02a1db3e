#include "opkit/atc/memory/greedy.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace opkit::memory_plan {
namespace {

std::vector<size_t> largest_first(const Buffers& buffers) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto key = [&](size_t i) {
    const auto lives =
        static_cast<uint64_t>(buffers[i].upper) - static_cast<uint64_t>(buffers[i].lower);
    return std::tuple(~buffers[i].size, ~lives, i);
  };
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return key(a) < key(b); });
  return order;
}

// Buffers that were placed, to be asked which of them live in some span of time: those that live
// when it begins, found in a tree over time, and those that begin later within it.
class Lives {
 public:
  explicit Lives(const Buffers& buffers) : buffers_(buffers) {
    for (const Buffer& buffer : buffers) times_.push_back(buffer.lower);
    std::sort(times_.begin(), times_.end());
    times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
    tree_.resize(2 * times_.size());
  }

  void add(size_t b) {
    by_begin_.emplace(buffers_[b].lower, b);
    size_t from = at(buffers_[b].lower) + times_.size();
    for (size_t to = at(buffers_[b].upper) + times_.size(); from < to; from /= 2, to /= 2) {
      if (from % 2 == 1) tree_[from++].push_back(b);
      if (to % 2 == 1) tree_[--to].push_back(b);
    }
  }

  // Calls take(b) for each that shares time with `buffer`.
  template <typename Take>
  void each_meeting(const Buffer& buffer, Take take) const {
    for (size_t node = at(buffer.lower) + times_.size(); node > 0; node /= 2)
      std::for_each(tree_[node].begin(), tree_[node].end(), take);
    const auto end = by_begin_.lower_bound(buffer.upper);
    for (auto later = by_begin_.upper_bound(buffer.lower); later != end; ++later)
      take(later->second);
  }

 private:
  // Returns the first time at which a buffer begins that is not before `time`.
  size_t at(int64_t time) const {
    return static_cast<size_t>(std::lower_bound(times_.begin(), times_.end(), time) -
                               times_.begin());
  }

  const Buffers& buffers_;
  std::vector<int64_t> times_;             // lists the times at which buffers begin
  std::vector<std::vector<size_t>> tree_;  // node n holds those that live in all of its leaves
  std::multimap<int64_t, size_t> by_begin_;
};

struct Taken {
  uint64_t begin, end;
};

// REQUIRES: `taken` is in ascending order.
uint64_t lowest_hole(const std::vector<Taken>& taken, uint64_t size) {
  uint64_t at = 0;
  for (const Taken& one : taken) {
    if (one.begin >= at && one.begin - at >= size) return at;
    at = std::max(at, one.end);
  }
  return at;
}

}  // namespace

Offsets place_greedily(const Buffers& buffers) {
  Offsets offsets(buffers.size());
  Lives placed(buffers);
  for (const size_t i : largest_first(buffers)) {
    std::vector<Taken> taken;
    placed.each_meeting(buffers[i], [&](size_t other) {
      taken.push_back({offsets[other], offsets[other] + buffers[other].size});
    });
    std::sort(taken.begin(), taken.end(),
              [](const Taken& a, const Taken& b) { return a.begin < b.begin; });
    offsets[i] = lowest_hole(taken, buffers[i].size);
    placed.add(i);
  }
  return offsets;
}

}  // namespace opkit::memory_plan
