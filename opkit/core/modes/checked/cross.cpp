#include <algorithm>
#include <utility>

#include "opkit/core/modes/checked/sync.h"

namespace opkit::core::checked {
namespace {

constexpr size_t kMostPending = 15;  // architecture page of 2201: at most 15 sets may be pending
constexpr uint32_t kLastFreeId = 10, kFlagOfVectorSyncAll = 14;

// Returns a clock of one core as others see it.
Remote outward(const CoreState& core, const Clock& clock) {
  auto all = std::make_shared<std::vector<uint32_t>>();
  if (clock.remote) *all = *clock.remote;
  const size_t base = size_t{core.index} * kSlotPitch;
  all->resize(std::max(all->size(), base + kSlotPitch));
  for (size_t k = 0; k < kSlots; ++k) (*all)[base + k] = std::max((*all)[base + k], clock.known[k]);
  return all;
}

// Returns what a core learns from others. They tell it of its own work, too: a flag that takes its
// own set to rise, or that answers one, comes after what it had done before that.
Clock inward(const CoreState& core, const Remote& remote) {
  Clock clock;
  clock.remote = remote;
  const size_t base = size_t{core.index} * kSlotPitch;
  if (!remote || remote->size() < base + kSlotPitch) return clock;
  std::copy_n(remote->begin() + static_cast<std::ptrdiff_t>(base), kSlotPitch, clock.known.begin());
  return clock;
}

const char* name_of(opk_sync_op op) {
  return op == OPK_SYNC_SET ? "CrossCoreSetFlag" : "CrossCoreWaitFlag";
}

}  // namespace

void CrossSync::reset(const Launch& launch) {
  launch_ = &launch;
  flags_.reset({launch.request().block_dim, launch.vector_lanes(), launch.has_cube_lane()});
  rounds_.clear();
  words_.clear();
  first_use_.clear();
  first_sync_all_.clear();
}

void CrossSync::flag(State& state, CoreState& core, opk_sync_op op, uint32_t mode, opk_pipe pipe,
                     uint32_t id, const void* pc) {
  first_use_.try_emplace(id, state.place(core, pc, name_of(op)));
  if (op == OPK_SYNC_WAIT) {
    Set told;
    if (flags_.take(*core.core, id, &told)) core.clocks.acquire(kS, inward(core, told.clock), 0);
    return;
  }
  const FindingPlace at = state.place(core, pc, name_of(op));
  if (mode == 0) judge_blocks(state, core, "CrossCoreSetFlag<0>", pc);
  const Remote clock = outward(core, core.clocks.release(slot_of(pipe)));
  const size_t pending = flags_.set(*core.core, mode, id, {clock, at});
  if (pending <= kMostPending) return;
  Finding finding;
  finding.code = "EK1512";
  finding.message = "cross-core flag " + std::to_string(id) + " is set " + std::to_string(pending) +
                    " times without a wait; the counter holds 15";
  finding.action = "let the other side wait more often, or let it answer with a flag of its own";
  finding.at = at;
  state.log.add(std::move(finding));
}

// SyncAll: what MTE3 wrote before is visible after; it is built from a barrier over all pipes.
void CrossSync::sync_all(State& state, CoreState& core, opk_sync_op op, uint32_t bits,
                         const void* pc) {
  const bool aiv_only = (bits & OPK_SYNC_ALL_AIV) != 0;
  const Meeting meeting = meeting_of(core.core->kind, aiv_only);
  uint64_t& round = core.sync_all_rounds[static_cast<size_t>(meeting)];
  if (op == OPK_SYNC_WAIT)
    return core.clocks.acquire_all(inward(core, rounds_[{meeting, round}]), 0);
  judge_blocks(state, core, "SyncAll", pc);
  if (!(bits & OPK_SYNC_ALL_SOFT))
    first_sync_all_.try_emplace(aiv_only, state.place(core, pc, "SyncAll"));
  const Clock done = core.clocks.release_all();
  core.clocks.acquire_all(done, 0);
  Remote& all = rounds_[{meeting, ++round}];
  all = join(all, outward(core, done));
}

void CrossSync::word(CoreState& core, opk_sync_op op, const int32_t* word) {
  Remote& told = words_[word];
  if (op == OPK_SYNC_SET) {
    told = join(told, outward(core, core.clocks.release_all()));
  } else {
    core.clocks.acquire_all(inward(core, told), 0);
  }
}

// Page "SyncAll": the blocks must not be more than the cores that run them, or the kernel hangs.
void CrossSync::judge_blocks(State& state, const CoreState& core, const char* name,
                             const void* pc) const {
  const uint32_t blocks = launch_->request().block_dim, at_once = launch_->resident_blocks();
  if (at_once == 0 || blocks <= at_once || state.log.repeated("EK1505", pc, nullptr)) return;
  Finding finding;
  finding.code = "EK1505";
  finding.message = std::string(name) + ": " + std::to_string(blocks) +
                    " blocks wait for each other, and the chip runs " + std::to_string(at_once) +
                    " at once; the others start when one ends, so that it would hang";
  finding.action = "launch at most " + std::to_string(at_once) +
                   " blocks and let each of them do several parts of the work";
  finding.at = state.place(core, pc, name);
  state.log.add(std::move(finding));
}

// Page on the key features of synchronisation between cores, table of the flags that calls occupy;
// page "CrossCoreSetFlag(ISASI)" of CANN 8.0 to 8.5: "取值范围是0-10".
void CrossSync::judge_ids(State& state) const {
  for (const auto& [id, at] : first_use_) {
    if (id <= kLastFreeId) continue;
    const auto owner = first_sync_all_.find(id == kFlagOfVectorSyncAll);
    const bool taken = owner != first_sync_all_.end() && id <= kFlagOfVectorSyncAll;
    Finding finding;
    finding.code = taken ? "EK1506" : "EK1507";
    finding.warning = !taken;
    finding.message =
        "cross-core flag " + std::to_string(id) +
        (taken
             ? " is one that SyncAll of this kernel works with (SyncAll<true>: 14, SyncAll<false>: "
               "11 to 13); either would release the other's waits"
             : " is beyond 10, where the documentation of CANN 8 ends; 11 to 14 belong to SyncAll, "
               "15 to Matmul objects in a SuperKernel");
    finding.action = "use ids 0 to 10";
    finding.at = at;
    if (taken) finding.other = owner->second;
    state.log.add(std::move(finding));
  }
}

// "用户需要确保配套使用CrossCoreSetFlag和CrossCoreWaitFlag" (CrossCoreSetFlag(ISASI)).
void CrossSync::judge_left(State& state) const {
  const auto report = [&](const FindingPlace& at, std::string message, const char* action) {
    Finding finding;
    finding.code = "EK1508";
    finding.message = std::move(message);
    finding.action = action;
    finding.at = at;
    state.log.add(std::move(finding));
  };
  flags_.for_each_raised([&](uint32_t seat, uint32_t id, const Set& set) {
    report(set.at,
           "the kernel ends while cross-core flag " + std::to_string(id) + " of " +
               launch_->core_name(seat) +
               " is up: a set too many, or a wait too few; it would disturb the next kernel",
           "let the core wait for the flag once per round of sets, or leave the last set out");
  });
  flags_.reports().for_each_left(
      [&](uint32_t mode, uint32_t id, uint32_t present, size_t all, const Set& set) {
        report(set.at,
               "the kernel ends while a set of cross-core flag " + std::to_string(id) + " (mode " +
                   std::to_string(mode) +
                   ") waits for those of other cores: " + std::to_string(present) + " of " +
                   std::to_string(all) + " have set it; it would disturb the next kernel",
               "let every core that takes part set the flag equally often");
      });
}

}  // namespace opkit::core::checked
