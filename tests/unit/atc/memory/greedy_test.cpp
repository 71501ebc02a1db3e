#include "opkit/atc/memory/greedy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace opkit::memory_plan {
namespace {

TEST(PlaceGreedily, TimesMayBeAsFarApartAsNumbersAre) {
  constexpr int64_t kFirst = std::numeric_limits<int64_t>::min();
  constexpr int64_t kLast = std::numeric_limits<int64_t>::max();
  const Buffers buffers = {{"short", 0, 1, 512}, {"long", kFirst, kLast, 512}};
  EXPECT_EQ(place_greedily(buffers), (Offsets{512, 0}));
}

// The definition: the largest first, each in the lowest hole between those that it meets.
Offsets placed_by_definition(const Buffers& buffers) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const auto life = [&](size_t i) { return buffers[i].upper - buffers[i].lower; };
    return std::pair(buffers[a].size, life(a)) > std::pair(buffers[b].size, life(b));
  });
  Offsets offsets(buffers.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const size_t b = order[i];
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t k = 0; k < i; ++k) {
        const size_t other = order[k];
        const bool apart = offsets[b] + buffers[b].size <= offsets[other] ||
                           offsets[other] + buffers[other].size <= offsets[b];
        if (apart || !buffers[b].meets(buffers[other])) continue;
        offsets[b] = offsets[other] + buffers[other].size;
        moved = true;
      }
    }
  }
  return offsets;
}

TEST(PlaceGreedily, FindsTheLowestHoles) {
  std::mt19937 random(3);
  for (int problem = 0; problem < 300; ++problem) {
    Buffers buffers;
    for (size_t count = 1 + random() % 40; buffers.size() < count;) {
      const auto lower = static_cast<int64_t>(random() % 30);
      buffers.push_back(
          {"b", lower, lower + 1 + static_cast<int64_t>(random() % 9), 512 * (1 + random() % 6)});
    }
    EXPECT_EQ(place_greedily(buffers), placed_by_definition(buffers));
  }
}

}  // namespace
}  // namespace opkit::memory_plan
