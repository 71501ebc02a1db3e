#include "opkit/core/state/meetings.h"

#include <algorithm>

namespace opkit::core {

void Meetings::reset(const FlagTeam& team) {
  team_ = team;
  for (auto& seats : arrived_) seats.clear();
  for (auto& rounds : over_) rounds.store(0, std::memory_order_relaxed);
}

// A core that does both kinds of work counts as a vector core.
uint32_t Meetings::per_block(Meeting meeting) const {
  const auto vectors = static_cast<uint32_t>(team_.vector_lanes);
  const uint32_t cubes = team_.cube_lane ? 1 : 0;
  switch (meeting) {
    case Meeting::kVectorCores: return vectors;
    case Meeting::kCubeCores: return cubes;
    case Meeting::kAll: break;
  }
  return vectors + cubes;
}

bool Meetings::arrive(uint32_t seat, Meeting meeting) {
  auto& seats = arrived_[static_cast<size_t>(meeting)];
  seats.push_back(seat);
  return seats.size() == size_t{team_.blocks} * per_block(meeting);
}

void Meetings::end_round(Meeting meeting) {
  arrived_[static_cast<size_t>(meeting)].clear();
  over_[static_cast<size_t>(meeting)].fetch_add(1, std::memory_order_acq_rel);
}

std::vector<uint32_t> Meetings::missing(Meeting meeting) const {
  const auto& here = arrived_[static_cast<size_t>(meeting)];
  const bool cubes = team_.cube_lane && meeting != Meeting::kVectorCores;
  const uint32_t first = cubes ? 0 : team_.cube_lane ? 1 : 0;
  std::vector<uint32_t> out;
  for (uint32_t block = 0; block < team_.blocks; ++block) {
    for (uint32_t i = 0; i < per_block(meeting); ++i) {
      const uint32_t seat = block * 3 + first + i;
      if (std::find(here.begin(), here.end(), seat) == here.end()) out.push_back(seat);
    }
  }
  return out;
}

}  // namespace opkit::core
