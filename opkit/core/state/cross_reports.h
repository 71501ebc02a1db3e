// CrossReports: which sets of cross-core flags have come together. Every core that takes part
// reports with a set of its own; then the counters of those who wait rise by one: of all cube cores
// or all vector cores of the launch (mode 0), of the vector cores of the block (mode 1), of its
// cube core when both vector cores have reported and of its vector cores when the cube core has
// (mode 2). Two sets by one core are its reports for two rounds. ("CrossCoreSetFlag(ISASI)" and the
// page on the key features of synchronisation between cores.)
#ifndef OPKIT_CORE_STATE_CROSS_REPORTS_H_
#define OPKIT_CORE_STATE_CROSS_REPORTS_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "opkit/core/state/core_id.h"
#include "opkit/core/state/flag_team.h"

namespace opkit::core {

// Where a core has set a flag.
struct SetPlace {
  const void* pc = nullptr;
};
struct NoJoin {
  void operator()(SetPlace&, SetPlace) const {}
};

// Join(Payload& into, const Payload& from).
template <typename Payload, typename Join = NoJoin>
class CrossReports {
 public:
  void reset(const FlagTeam& team) {
    team_ = team;
    gathered_.clear();
  }

  // rise(seat, payload) is called for every core whose counter rises. Returns the sets of this core
  // that wait for those of others.
  template <typename Rise>
  size_t report(const CoreId& core, uint32_t mode, uint32_t id, const Payload& payload,
                Rise&& rise) {
    if (mode >= kBothKinds && core.cube) return raise_vectors(core.block, payload, rise), 0;
    Round& round = gathered_[{mode == kAll ? core.cube : core.block, mode, id}];
    round.members.resize(mode == kAll ? team_.blocks * (core.cube ? 1 : vectors()) : vectors());
    std::vector<Payload>& mine = round.members[place(core, mode)];
    if (mine.empty()) ++round.present;
    mine.push_back(payload);
    if (round.present < round.members.size()) return mine.size();
    const Payload all = complete(round);
    if (mode >= kBothKinds) {
      rise(core.block * 3, all);
    } else if (mode == kAll) {
      for (uint32_t b = 0; b < team_.blocks; ++b) raise_kind(b, core.cube, all, rise);
    } else {
      raise_kind(core.block, core.cube, all, rise);
    }
    return mine.size();
  }

  // f(mode, id, reports, cores that take part, a report) for sets that never came together.
  template <typename F>
  void for_each_left(F&& f) const {
    for (const auto& [key, round] : gathered_) {
      for (const auto& member : round.members) {
        for (const Payload& payload : member)
          f(std::get<1>(key), std::get<2>(key), round.present, round.members.size(), payload);
      }
    }
  }

  // f(mode, seat, oldest report or nullptr) for the cores of every round of flag `id` that is not
  // complete and would raise it for `core`.
  template <typename F>
  void for_each_member(const CoreId& core, uint32_t id, F&& f) const {
    for (const auto& [key, round] : gathered_) {
      const auto [group, mode, flag] = key;
      const bool concerned = mode == kAll
                                 ? (group != 0) == core.cube
                                 : group == core.block && (mode >= kBothKinds) == core.cube;
      if (flag != id || round.present == 0 || !concerned) continue;
      for (size_t i = 0; i < round.members.size(); ++i) {
        const auto& sets = round.members[i];
        f(mode, seat_of(core, mode, static_cast<uint32_t>(i)), sets.empty() ? nullptr : &sets[0]);
      }
    }
  }

 private:
  static constexpr uint32_t kAll = 0, kBothKinds = 2;  // modes

  struct Round {
    std::vector<std::vector<Payload>> members;  // sets by core, oldest first
    uint32_t present = 0;                       // cores that have set
  };

  uint32_t vectors() const { return static_cast<uint32_t>(std::max(team_.vector_lanes, 1)); }

  size_t place(const CoreId& core, uint32_t mode) const {
    if (core.cube) return mode == kAll ? core.block : 0;
    const auto lane = static_cast<uint32_t>(std::max(core.lane, 0));
    return mode == kAll ? core.block * vectors() + lane : lane;
  }

  // Returns the seat of a member of a round that `core` waits for; the inverse of place().
  uint32_t seat_of(const CoreId& core, uint32_t mode, uint32_t member) const {
    if (mode == kAll && core.cube) return member * 3;
    const uint32_t block = mode == kAll ? member / vectors() : core.block;
    return block * 3 + (team_.cube_lane ? member % vectors() + 1 : 0);
  }

  static Payload complete(Round& round) {
    Payload all{};
    for (auto& member : round.members) {
      Join()(all, member.front());
      member.erase(member.begin());
      if (member.empty()) --round.present;
    }
    return all;
  }

  template <typename Rise>
  void raise_vectors(uint32_t block, const Payload& payload, Rise&& rise) const {
    for (uint32_t lane = 0; lane < static_cast<uint32_t>(team_.vector_lanes); ++lane)
      rise(block * 3 + lane + 1, payload);
  }
  // Tells the cores of one kind in the block: its cube core, or its vector cores. Without a cube
  // core a block is one vector core.
  template <typename Rise>
  void raise_kind(uint32_t block, bool cube, const Payload& payload, Rise&& rise) const {
    if (cube || !team_.cube_lane) return rise(block * 3, payload);
    raise_vectors(block, payload, rise);
  }

  FlagTeam team_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Round> gathered_;  // group, mode, id
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_CROSS_REPORTS_H_
