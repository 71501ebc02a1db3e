#include <algorithm>
#include <utility>

#include "opkit/core/modes/checked/sync.h"

namespace opkit::core::checked {
namespace {

constexpr uint32_t kModeAll = 0, kModePair = 1;
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
  blocks_ = request.block_dim;
  lanes_ = vector_lanes;
  cube_ = cube_lane;
  gathered_.clear();
  raised_.clear();
  rounds_.clear();
  words_.clear();
}

void CrossSync::raise(State& state, CoreState& setter, uint32_t block, int lane, uint32_t id,
                      const Remote& clock, const void* pc) {
  auto& waiting = raised_[{block * 3 + static_cast<uint32_t>(lane + 1), id}];
  waiting.push_back(clock);
  if (waiting.size() <= kMostPending) return;
  Finding finding;
  finding.code = "EK1512";
  finding.message = "cross-core flag " + std::to_string(id) + " is set " +
                    std::to_string(waiting.size()) + " times without a wait; the counter holds 15";
  finding.action = "let the other side wait more often, or let it answer with a flag of its own";
  finding.at = state.place(setter, pc, "CrossCoreSetFlag");
  state.log.add(std::move(finding));
}

void CrossSync::set(State& state, CoreState& core, uint32_t mode, uint32_t id, const Remote& clock,
                    const void* pc) {
  const uint32_t block = core.index / 3;
  const bool cube = core.core->kind == OPK_CORE_AIC;
  const auto vectors = static_cast<uint32_t>(std::max(lanes_, 1));
  if (mode >= 2 && cube) {
    for (int lane = 0; lane < lanes_; ++lane) raise(state, core, block, lane, id, clock, pc);
    return;
  }
  Gathered& group = gathered_[{mode == kModeAll ? cube : block, mode, id}];
  group.clock = join(group.clock, clock);
  const uint32_t whole = mode == kModeAll ? blocks_ * (cube ? 1 : vectors) : vectors;
  if (++group.sets < whole) return;
  const Remote released = std::exchange(group, {}).clock;
  if (mode >= 2) return raise(state, core, block, -1, id, released, pc);
  const uint32_t first = mode == kModePair ? block : 0,
                 last = mode == kModePair ? block + 1 : blocks_;
  for (uint32_t b = first; b < last; ++b) {
    if (cube || !cube_) raise(state, core, b, -1, id, released, pc);
    for (int lane = 0; !cube && cube_ && lane < lanes_; ++lane)
      raise(state, core, b, lane, id, released, pc);
  }
}

void CrossSync::flag(State& state, CoreState& core, opk_sync_op op, uint32_t mode, opk_pipe pipe,
                     uint32_t id, const void* pc) {
  if (op == OPK_SYNC_SET) {
    return set(state, core, mode, id, outward(core, core.clocks.release(slot_of(pipe))), pc);
  }
  auto& waiting = raised_[{core.index, id}];
  if (waiting.empty()) return;
  core.clocks.acquire(kS, inward(waiting.front()), 0);
  waiting.pop_front();
}

// SyncAll: what MTE3 wrote before is visible after; it is built from a barrier over all pipes.
void CrossSync::sync_all(CoreState& core, opk_sync_op op, bool aiv_only) {
  uint64_t& round = core.sync_all_rounds[aiv_only];
  if (op == OPK_SYNC_SET) {
    Remote& all = rounds_[{aiv_only, ++round}];
    all = join(all, outward(core, core.clocks.release_all()));
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
