#include "opkit/atc/memory/greedy.h"

#include <algorithm>
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
  std::vector<size_t> placed;
  for (const size_t i : largest_first(buffers)) {
    std::vector<Taken> taken;
    for (const size_t other : placed) {
      if (buffers[i].meets(buffers[other]))
        taken.push_back({offsets[other], offsets[other] + buffers[other].size});
    }
    std::sort(taken.begin(), taken.end(),
              [](const Taken& a, const Taken& b) { return a.begin < b.begin; });
    offsets[i] = lowest_hole(taken, buffers[i].size);
    placed.push_back(i);
  }
  return offsets;
}

}  // namespace opkit::memory_plan
