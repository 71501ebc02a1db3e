#include "opkit/model/export/places.h"

#include <algorithm>
#include <numeric>

namespace opkit::model_export {
namespace {

constexpr uint64_t kAligned = 64;

uint64_t room_for(uint64_t bytes) { return (bytes + kAligned - 1) / kAligned * kAligned; }

bool meet(const Held& a, const Held& b) { return a.from <= b.to && b.from <= a.to; }

}  // namespace

PlacedValues place_all(const std::vector<Held>& all) {
  std::vector<size_t> order(all.size()), placed;
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return all[a].bytes > all[b].bytes; });
  PlacedValues places;
  places.offsets.resize(all.size());
  for (const size_t one : order) {
    // Goes through what is in the way, from the lowest on, to the first gap.
    std::vector<size_t> others;
    for (const size_t other : placed) {
      if (meet(all[one], all[other])) others.push_back(other);
    }
    std::sort(others.begin(), others.end(),
              [&](size_t a, size_t b) { return places.offsets[a] < places.offsets[b]; });
    uint64_t at = 0;
    for (const size_t other : others) {
      if (places.offsets[other] >= at + room_for(all[one].bytes)) break;
      at = std::max(at, places.offsets[other] + room_for(all[other].bytes));
    }
    places.offsets[one] = at;
    places.total = std::max(places.total, at + room_for(all[one].bytes));
    placed.push_back(one);
  }
  return places;
}

}  // namespace opkit::model_export
