// CrossMirror: who is released by whom through cross-core flags, as the Launch decides it
// (CrossCoreSetFlag), carrying a payload from setters to waiters. Observers use it to pass clocks
// and times along.
#ifndef OPKIT_CORE_MODES_CROSS_MIRROR_H_
#define OPKIT_CORE_MODES_CROSS_MIRROR_H_

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>
#include <utility>

#include "opkit/core/core.h"

namespace opkit::core {

// Join(Payload& into, const Payload& from).
template <typename Payload, typename Join>
class CrossMirror {
 public:
  void reset(uint32_t blocks, int vector_lanes, bool cube_lane) {
    blocks_ = blocks;
    lanes_ = vector_lanes;
    cube_ = cube_lane;
    gathered_.clear();
    raised_.clear();
  }

  // Returns the largest number of sets that now wait at one core.
  size_t set(const Core& core, uint32_t mode, uint32_t id, const Payload& payload) {
    const bool cube = core.kind == OPK_CORE_AIC;
    const auto vectors = static_cast<uint32_t>(std::max(lanes_, 1));
    if (mode >= 2 && cube) return raise_lanes(core.block, id, payload);
    Gathered& group = gathered_[{mode == 0 ? cube : core.block, mode, id}];
    Join()(group.payload, payload);
    const uint32_t whole = mode == 0 ? blocks_ * (cube ? 1 : vectors) : vectors;
    if (++group.sets < whole) return 0;
    const Payload released = std::exchange(group, {}).payload;
    if (mode >= 2) return raise(core.block, -1, id, released);
    const uint32_t first = mode == 0 ? 0 : core.block, last = mode == 0 ? blocks_ : core.block + 1;
    size_t most = 0;
    for (uint32_t b = first; b < last; ++b) {
      const bool lane_less = cube || !cube_;
      most = std::max(most, lane_less ? raise(b, -1, id, released) : raise_lanes(b, id, released));
    }
    return most;
  }

  // The payload of the set that a core's wait took; false when it was not seen.
  bool take(const Core& core, uint32_t id, Payload* payload) {
    auto& waiting = raised_[{core.block * 3 + static_cast<uint32_t>(core.lane + 1), id}];
    if (waiting.empty()) return false;
    *payload = std::move(waiting.front());
    waiting.pop_front();
    return true;
  }

 private:
  struct Gathered {
    uint32_t sets = 0;
    Payload payload{};
  };

  size_t raise(uint32_t block, int lane, uint32_t id, const Payload& payload) {
    auto& waiting = raised_[{block * 3 + static_cast<uint32_t>(lane + 1), id}];
    waiting.push_back(payload);
    return waiting.size();
  }
  size_t raise_lanes(uint32_t block, uint32_t id, const Payload& payload) {
    size_t most = 0;
    for (int lane = 0; lane < lanes_; ++lane)
      most = std::max(most, raise(block, lane, id, payload));
    return most;
  }

  uint32_t blocks_ = 0;
  int lanes_ = 0;
  bool cube_ = false;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Gathered> gathered_;  // group, mode, id
  std::map<std::pair<uint32_t, uint32_t>, std::deque<Payload>> raised_;    // core index, id
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_MODES_CROSS_MIRROR_H_
