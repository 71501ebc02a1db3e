#include "opkit/memory_plan/search.h"

#include <algorithm>
#include <tuple>

namespace opkit::memory_plan {
namespace {

class Search {
 public:
  Search(const Buffers& buffers, uint64_t below, uint64_t bound, size_t steps)
      : buffers_(buffers),
        best_(below),
        bound_(bound),
        most_(steps),
        floor_(buffers.size()),
        placed_(buffers.size()),
        offsets_(buffers.size()),
        meets_(buffers.size()) {
    for (size_t a = 0; a < buffers.size(); ++a) {
      for (size_t b = 0; b < buffers.size(); ++b) {
        if (a != b && buffers[a].meets(buffers[b])) meets_[a].push_back(b);
      }
    }
  }

  SearchResult run() {
    place_rest(buffers_.size(), 0, 0);
    result_.complete = result_.steps < most_ || best_ <= bound_;
    return std::move(result_);
  }

 private:
  struct Move {
    uint64_t at, minus_size;
    size_t buffer;
    auto operator<=>(const Move&) const = default;
  };

  // A buffer's place is the top of what meets it; places never fall, so that each arrangement is
  // reached in one order only.
  void place_rest(size_t left, uint64_t least, uint64_t top) {
    if (done()) return;
    if (left == 0) {
      best_ = top;
      result_.offsets = offsets_;
      return;
    }
    for (const Move& move : moves(least)) {
      if (done()) return;
      const Buffer& buffer = buffers_[move.buffer];
      if (move.at + buffer.size >= best_) continue;
      ++result_.steps;
      place(move, left, std::max(top, move.at + buffer.size));
    }
  }

  bool done() const { return result_.steps >= most_ || best_ <= bound_; }

  // Places that leave no hole into which another buffer would have fitted.
  std::vector<Move> moves(uint64_t least) const {
    std::vector<Move> all;
    for (size_t b = 0; b < buffers_.size(); ++b) {
      if (placed_[b]) continue;
      if (floor_[b] + buffers_[b].size >= best_) return {};
      if (floor_[b] >= least) {
        all.push_back({floor_[b], ~buffers_[b].size, b});
      } else if (!can_rise(b)) {
        return {};  // it belongs in front of what was placed last
      }
    }
    std::erase_if(all, [&](const Move& move) { return hole_below(move); });
    std::sort(all.begin(), all.end());
    return all;
  }

  bool can_rise(size_t b) const {
    return std::any_of(meets_[b].begin(), meets_[b].end(),
                       [this](size_t other) { return !placed_[other]; });
  }

  // Whether a buffer that meets this one would fit below it: then it is placed first.
  bool hole_below(const Move& move) const {
    for (const size_t other : meets_[move.buffer]) {
      if (!placed_[other] && floor_[other] + buffers_[other].size <= move.at) return true;
    }
    return false;
  }

  void place(const Move& move, size_t left, uint64_t top) {
    const size_t b = move.buffer;
    std::vector<std::pair<size_t, uint64_t>> before;
    placed_[b] = true;
    offsets_[b] = move.at;
    for (const size_t other : meets_[b]) {
      if (placed_[other]) continue;
      before.emplace_back(other, floor_[other]);
      floor_[other] = std::max(floor_[other], move.at + buffers_[b].size);
    }
    place_rest(left - 1, move.at, top);
    for (const auto& [other, floor] : before) floor_[other] = floor;
    placed_[b] = false;
  }

  const Buffers& buffers_;
  uint64_t best_, bound_;
  size_t most_;
  std::vector<uint64_t> floor_;  // the lowest place that is left for each
  std::vector<bool> placed_;
  Offsets offsets_;
  std::vector<std::vector<size_t>> meets_;
  SearchResult result_;
};

}  // namespace

SearchResult search(const Buffers& buffers, uint64_t below, uint64_t bound, size_t steps) {
  return Search(buffers, below, bound, steps).run();
}

}  // namespace opkit::memory_plan
