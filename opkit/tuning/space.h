// Space: every combination of an op's knobs, by number.
#ifndef OPKIT_TUNING_SPACE_H_
#define OPKIT_TUNING_SPACE_H_

#include <cstdint>
#include <vector>

#include "opkit/contract/tuning.h"

namespace opkit::tuning {

// A value of each knob, by its place in the knob's list.
using KnobPlaces = std::vector<size_t>;

class Space {
 public:
  explicit Space(Knobs knobs) : knobs_(std::move(knobs)) {}

  const Knobs& knobs() const { return knobs_; }
  // Combinations; UINT64_MAX: that many and more.
  uint64_t size() const;
  // Returns the combination with a number, the last knob fastest. REQUIRES: number < size().
  KnobPlaces places(uint64_t number) const;
  // Returns the i-th combination of a sequence that fills the space evenly in every knob, the same
  // one everywhere. REQUIRES: 1 <= i < 2^20.
  KnobPlaces spread(uint64_t i) const;
  // Returns the knobs as attributes of a call.
  AttrValues knobs_at(const KnobPlaces& places) const;

 private:
  Knobs knobs_;
};

}  // namespace opkit::tuning

#endif  // OPKIT_TUNING_SPACE_H_
