#include "opkit/tuning/space.h"

namespace opkit::tuning {

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

AttrValues Space::knobs_at(const KnobPlaces& places) const {
  AttrValues knobs;
  for (size_t k = 0; k < knobs_.size(); ++k)
    knobs[std::string(kKnobPrefix) + knobs_[k].name] = knobs_[k].values[places[k]];
  return knobs;
}

}  // namespace opkit::tuning
