#include "opkit/model/export/places.h"

#include <gtest/gtest.h>

#include <random>

namespace opkit::model_export {
namespace {

TEST(PlaceAll, KeepsApartWhatIsHeldAtOnce) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<Held> all;
    for (int i = 0; i < 30; ++i) {
      const size_t from = random() % 20;
      all.push_back({from, from + random() % 5, random() % 1000});
    }
    const PlacedValues places = place_all(all);
    for (size_t a = 0; a < all.size(); ++a) {
      EXPECT_EQ(places.offsets[a] % 64, 0u);
      EXPECT_LE(places.offsets[a] + all[a].bytes, places.total);
      for (size_t b = 0; b < a; ++b) {
        if (all[a].to < all[b].from || all[b].to < all[a].from) continue;
        EXPECT_TRUE(places.offsets[a] + all[a].bytes <= places.offsets[b] ||
                    places.offsets[b] + all[b].bytes <= places.offsets[a]);
      }
    }
  }
}

TEST(PlaceAll, UsesAPlaceAgain) {
  EXPECT_EQ(place_all({{0, 1, 64}, {1, 2, 64}, {2, 3, 64}}).total, 128u);
  EXPECT_EQ(place_all({}).total, 0u);
}

}  // namespace
}  // namespace opkit::model_export
