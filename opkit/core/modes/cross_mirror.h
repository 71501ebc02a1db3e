// CrossMirror: who is released by whom through cross-core flags, as the Launch decides it
// (CrossCoreSetFlag), carrying a payload from setters to waiters. Observers use it to pass clocks
// and times along.
#ifndef OPKIT_CORE_MODES_CROSS_MIRROR_H_
#define OPKIT_CORE_MODES_CROSS_MIRROR_H_

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "opkit/core/state/core.h"
#include "opkit/core/state/cross_reports.h"

namespace opkit::core {

// Join(Payload& into, const Payload& from).
template <typename Payload, typename Join>
class CrossMirror {
 public:
  void reset(const FlagTeam& team) {
    reports_.reset(team);
    raised_.clear();
  }

  // Returns the largest number of sets that now wait at one core, or for the sets of others.
  size_t set(const Core& core, uint32_t mode, uint32_t id, const Payload& payload) {
    size_t most = 0;
    const size_t own =
        reports_.report(core.id(), mode, id, payload, [&](uint32_t seat, const Payload& p) {
          auto& waiting = raised_[{seat, id}];
          waiting.push_back(p);
          most = std::max(most, waiting.size());
        });
    return std::max(most, own);
  }

  // The payload of the set that a core's wait took; false when it was not seen.
  bool take(const Core& core, uint32_t id, Payload* payload) {
    auto& waiting = raised_[{core.seat(), id}];
    if (waiting.empty()) return false;
    *payload = std::move(waiting.front());
    waiting.pop_front();
    return true;
  }

  const CrossReports<Payload, Join>& reports() const { return reports_; }
  // f(seat, id, payload) for every rise that no wait took.
  template <typename F>
  void for_each_raised(F&& f) const {
    for (const auto& [key, waiting] : raised_) {
      for (const Payload& payload : waiting) f(key.first, key.second, payload);
    }
  }

 private:
  CrossReports<Payload, Join> reports_;
  std::map<std::pair<uint32_t, uint32_t>, std::deque<Payload>> raised_;  // seat, id
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_MODES_CROSS_MIRROR_H_
