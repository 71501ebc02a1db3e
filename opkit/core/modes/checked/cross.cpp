#include <algorithm>
#include <utility>

#include "opkit/core/modes/checked/sync.h"

namespace opkit::core::checked {
namespace {

constexpr size_t kMostPending = 15;  // architecture page of 2201: at most 15 sets may be pending

// A clock of one core as others see it.
Remote outward(const CoreState& core, const Clock& clock) {
  auto all = std::make_shared<std::vector<uint32_t>>();
  if (clock.remote) *all = *clock.remote;
  const size_t base = size_t{core.index} * kSlotPitch;
  all->resize(std::max(all->size(), base + kSlotPitch));
  for (size_t k = 0; k < kSlots; ++k) (*all)[base + k] = std::max((*all)[base + k], clock.known[k]);
  return all;
}

Clock inward(const Remote& remote) {
  Clock clock;
  clock.remote = remote;
  return clock;
}

}  // namespace

void CrossSync::reset(const LaunchRequest& request, int vector_lanes, bool cube_lane) {
  flags_.reset(request.block_dim, vector_lanes, cube_lane);
  rounds_.clear();
  words_.clear();
}

void CrossSync::flag(State& state, CoreState& core, opk_sync_op op, uint32_t mode, opk_pipe pipe,
                     uint32_t id, const void* pc) {
  if (op == OPK_SYNC_WAIT) {
    Remote told;
    if (flags_.take(*core.core, id, &told)) core.clocks.acquire(kS, inward(told), 0);
    return;
  }
  const Remote clock = outward(core, core.clocks.release(slot_of(pipe)));
  const size_t pending = flags_.set(*core.core, mode, id, clock);
  if (pending <= kMostPending) return;
  Finding finding;
  finding.code = "EK1512";
  finding.message = "cross-core flag " + std::to_string(id) + " is set " + std::to_string(pending) +
                    " times without a wait; the counter holds 15";
  finding.action = "let the other side wait more often, or let it answer with a flag of its own";
  finding.at = state.place(core, pc, "CrossCoreSetFlag");
  state.log.add(std::move(finding));
}

// SyncAll: what MTE3 wrote before is visible after; it is built from a barrier over all pipes.
void CrossSync::sync_all(CoreState& core, opk_sync_op op, bool aiv_only) {
  uint64_t& round = core.sync_all_rounds[aiv_only];
  if (op == OPK_SYNC_SET) {
    const Clock done = core.clocks.release_all();
    core.clocks.acquire_all(done, 0);
    Remote& all = rounds_[{aiv_only, ++round}];
    all = join(all, outward(core, done));
    return;
  }
  core.clocks.acquire_all(inward(rounds_[{aiv_only, round}]), 0);
}

void CrossSync::word(CoreState& core, opk_sync_op op, const int32_t* word) {
  Remote& told = words_[word];
  if (op == OPK_SYNC_SET) {
    told = join(told, outward(core, core.clocks.release_all()));
  } else {
    core.clocks.acquire_all(inward(told), 0);
  }
}

}  // namespace opkit::core::checked
