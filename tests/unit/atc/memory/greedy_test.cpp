#include "opkit/atc/memory/greedy.h"

#include <gtest/gtest.h>

#include <limits>

namespace opkit::memory_plan {
namespace {

TEST(PlaceGreedily, TimesMayBeAsFarApartAsNumbersAre) {
  constexpr int64_t kFirst = std::numeric_limits<int64_t>::min();
  constexpr int64_t kLast = std::numeric_limits<int64_t>::max();
  const Buffers buffers = {{"short", 0, 1, 512}, {"long", kFirst, kLast, 512}};
  EXPECT_EQ(place_greedily(buffers), (Offsets{512, 0}));
}

}  // namespace
}  // namespace opkit::memory_plan
