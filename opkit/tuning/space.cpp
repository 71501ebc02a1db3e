#include "opkit/tuning/space.h"

#include <iterator>

namespace opkit::tuning {
namespace {

// Returns the i-th place of a sequence that fills [0, count) evenly: i's digits, mirrored.
size_t mirrored(uint64_t i, uint64_t base, size_t count) {
  uint64_t digits = 0, unit = 1;
  for (; i > 0; i /= base, unit *= base) digits = digits * base + i % base;
  return static_cast<size_t>(digits * count / unit);
}

}  // namespace

uint64_t Space::size() const {
  uint64_t size = 1;
  for (const Knob& knob : knobs_) {
    if (size > UINT64_MAX / knob.values.size()) return UINT64_MAX;
    size *= knob.values.size();
  }
  return size;
}

KnobPlaces Space::places(uint64_t number) const {
  KnobPlaces places(knobs_.size());
  for (size_t k = knobs_.size(); k-- > 0;) {
    places[k] = static_cast<size_t>(number % knobs_[k].values.size());
    number /= knobs_[k].values.size();
  }
  return places;
}

KnobPlaces Space::spread(uint64_t i) const {
  constexpr uint64_t kBases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  KnobPlaces places;
  for (size_t k = 0; k < knobs_.size(); ++k)
    places.push_back(mirrored(i, kBases[k % std::size(kBases)], knobs_[k].values.size()));
  return places;
}

AttrValues Space::knobs_at(const KnobPlaces& places) const {
  AttrValues knobs;
  for (size_t k = 0; k < knobs_.size(); ++k)
    knobs[std::string(kKnobPrefix) + knobs_[k].name] = knobs_[k].values[places[k]];
  return knobs;
}

}  // namespace opkit::tuning
