// Meetings: which cores of a launch have come to SyncAll, and which rounds of it are over.
#ifndef OPKIT_CORE_STATE_MEETINGS_H_
#define OPKIT_CORE_STATE_MEETINGS_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "opkit/abi/core.h"
#include "opkit/core/state/flag_team.h"

namespace opkit::core {

// Who waits for each other in SyncAll. SyncAll<true> is among the cores of one kind:
// "控制SyncAll作用于 全核或仅AIV核" (page "SyncAll"); cube cores that call it set and take a flag
// of mode 0, which cube cores share with cube cores only (page "CrossCoreSetFlag(ISASI)").
enum class Meeting : uint8_t { kAll, kVectorCores, kCubeCores };
inline constexpr size_t kMeetings = 3;

// Returns the meeting that the SyncAll of a core of a kind is part of.
inline Meeting meeting_of(uint8_t core_kind, bool one_kind) {
  if (!one_kind) return Meeting::kAll;
  return core_kind == OPK_CORE_AIC ? Meeting::kCubeCores : Meeting::kVectorCores;
}

class Meetings {
 public:
  // Forgets everything. REQUIRES: nobody else uses the meetings.
  void reset(const FlagTeam& team);

  // Notes that a core has come. True: it was the last one of the round.
  bool arrive(uint32_t seat, Meeting meeting);
  void end_round(Meeting meeting);
  // Tells whether every core of the launch takes part.
  bool is_of_all(Meeting meeting) const { return per_block(meeting) == per_block(Meeting::kAll); }
  // Rounds count from 1. May be asked while others come.
  bool is_over(Meeting meeting, uint64_t round) const {
    return over_[static_cast<size_t>(meeting)].load(std::memory_order_acquire) >= round;
  }
  // Returns the seats of those that the round under way still waits for.
  std::vector<uint32_t> missing(Meeting meeting) const;

 private:
  uint32_t per_block(Meeting meeting) const;

  FlagTeam team_;
  std::array<std::vector<uint32_t>, kMeetings> arrived_;  // seats
  std::array<std::atomic<uint64_t>, kMeetings> over_{};   // rounds
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_MEETINGS_H_
