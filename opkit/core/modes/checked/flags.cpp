#include <algorithm>

#include "opkit/core/modes/checked/events.h"
#include "opkit/core/modes/checked/sync.h"

namespace opkit::core::checked {
namespace {

// A synchronisation that ran less often per core may be the first or last round of a loop.
constexpr uint32_t kEnoughRuns = 4;
constexpr uint32_t kBits = 64;

// Flags and barriers inside a library call are not the author's to remove: they have no site.
bool has_site(const CoreState& core) { return core.core->library == 0; }

uint32_t sync_site(State& state, const void* pc, bool is_barrier, bool scalar, uint32_t pipe) {
  const auto next = static_cast<uint32_t>(state.sync_sites.size());
  const auto [found, fresh] = state.sync_of_pc.try_emplace(pc, next);
  if (fresh) state.sync_sites.push_back({pc, is_barrier, scalar, next % kBits, next, pipe, 0});
  return found->second;
}

uint32_t root_of(State& state, uint32_t i) {
  while (state.sync_sites[i].root != i) i = state.sync_sites[i].root;
  return i;
}

uint64_t bit_of(const State& state, uint32_t i) { return uint64_t{1} << state.sync_sites[i].bit; }

// Remembers who had brought the order between the two pipes before this site runs.
void note_partners(State& state, const CoreState& core, uint32_t site, uint8_t from, uint8_t to) {
  state.sync_sites[site].partners |= core.clocks.clock(to).via[from];
}

void count_run(State& state, CoreState& core, uint32_t site) {
  const uint32_t runs = ++core.sync_runs[state.sync_sites[site].pc];
  state.sync_sites[site].runs = std::max(state.sync_sites[site].runs, runs);
}

std::string flag_name(uint8_t src, uint8_t dst, int32_t id) {
  return std::string("<HardEvent::") + slot_name(src) + "_" + slot_name(dst) + ">(" +
         std::to_string(id) + ")";
}

void report(State& state, CoreState& core, const char* code, std::string message,
            std::string action, const char* name, const void* pc, const void* other_pc = nullptr) {
  Finding finding;
  finding.code = code;
  finding.message = std::move(message);
  finding.action = std::move(action);
  finding.at = state.place(core, pc, name);
  if (other_pc) finding.other = state.place(core, other_pc, name);
  state.log.add(std::move(finding));
}

void set_flag(State& state, CoreState& core, FlagState& flag, uint8_t src, uint8_t dst, int32_t id,
              const void* pc) {
  if (flag.set) {
    report(state, core, "EK1306",
           "SetFlag" + flag_name(src, dst, id) + " sets a flag that is already up",
           "wait for the flag before setting it again, or use another event id", "SetFlag", pc,
           flag.pc);
  }
  flag.set = true;
  flag.pc = pc;
  flag.clock = core.clocks.release(src);
  if (has_site(core)) sync_site(state, pc, false, src == kS || dst == kS, dst);
}

void wait_flag(State& state, CoreState& core, FlagState& flag, uint8_t src, uint8_t dst, int32_t id,
               const void* pc) {
  if (!flag.set) {
    return report(state, core, "EK1307",
                  "WaitFlag" + flag_name(src, dst, id) +
                      " waits for a flag that was not set before; the chip would hang",
                  "call SetFlag with the same event and id first", "WaitFlag", pc);
  }
  flag.set = false;
  if (!has_site(core)) return core.clocks.acquire(dst, flag.clock, 0);
  const uint32_t waiter = sync_site(state, pc, false, src == kS || dst == kS, dst);
  const uint32_t setter = sync_site(state, flag.pc, false, src == kS || dst == kS, dst);
  count_run(state, core, waiter);
  state.sync_sites[root_of(state, waiter)].root = root_of(state, setter);
  note_partners(state, core, waiter, src, dst);
  core.clocks.acquire(dst, flag.clock, bit_of(state, waiter) | bit_of(state, setter));
}

uint64_t barrier_site(State& state, CoreState& core, opk_pipe pipe, const void* pc) {
  const uint32_t site = sync_site(state, pc, true, pipe == OPK_PIPE_S, pipe);
  count_run(state, core, site);
  state.barrier_sync |= bit_of(state, site);
  if (pipe != OPK_PIPE_ALL) note_partners(state, core, site, slot_of(pipe), slot_of(pipe));
  return bit_of(state, site);
}

struct Component {
  uint64_t bits = 0, partners = 0;
  uint32_t runs = 0;
  bool scalar = false;
};

}  // namespace

void track_flag(State& state, CoreState& core, opk_sync_op op, opk_pipe src_pipe, opk_pipe dst_pipe,
                int32_t id, const void* pc) {
  const uint8_t src = slot_of(src_pipe), dst = slot_of(dst_pipe);
  if (id < 0 || id > 7) {
    return report(
        state, core, "EK1310",
        "event id " + std::to_string(id) + " of " + flag_name(src, dst, id) + " does not exist",
        "use ids 0 to 7", op == OPK_SYNC_SET ? "SetFlag" : "WaitFlag", pc);
  }
  track_event_use(state, core, op, src, dst, id, pc);
  FlagState& flag = core.flags[uint32_t{src} * 64 + uint32_t{dst} * 8 + static_cast<uint32_t>(id)];
  if (op == OPK_SYNC_SET) {
    set_flag(state, core, flag, src, dst, id, pc);
  } else {
    wait_flag(state, core, flag, src, dst, id, pc);
  }
}

void track_barrier(State& state, CoreState& core, opk_pipe pipe, const void* pc) {
  const uint64_t sites = has_site(core) ? barrier_site(state, core, pipe, pc) : 0;
  if (pipe == OPK_PIPE_ALL) {
    core.clocks.barrier_all(sites);
  } else {
    core.clocks.barrier(slot_of(pipe), sites);
  }
}

void judge_flags_at_end(State& state, CoreState& core) {
  std::vector<std::pair<uint32_t, const FlagState*>> up;
  for (const auto& [key, flag] : core.flags) {
    if (flag.set) up.emplace_back(key, &flag);
  }
  std::sort(up.begin(), up.end());
  for (const auto& [key, flag] : up) {
    report(state, core, "EK1308",
           "the kernel ends while the flag of SetFlag" +
               flag_name(static_cast<uint8_t>(key / 64), static_cast<uint8_t>(key / 8 % 8),
                         static_cast<int32_t>(key % 8)) +
               " is up; it would disturb the next kernel",
           "wait for the flag before the kernel ends, or do not set it in the last round",
           "SetFlag", flag->pc);
  }
}

namespace {

const char* name_of(const SyncSite& site) {
  return site.is_barrier ? "PipeBarrier" : "SetFlag and WaitFlag";
}

std::string cost_text(const State& state, const SyncSite& site, uint32_t runs) {
  const CheckedOptions& o = state.options;
  const bool vector = site.pipe == OPK_PIPE_V || site.pipe == OPK_PIPE_ALL;
  const uint32_t cycles = !site.is_barrier ? o.flag_cycles
                          : vector         ? o.vector_barrier_cycles
                                           : o.barrier_cycles;
  return "; a run costs at least " + std::to_string(cycles) + " cycles besides what it waits, " +
         std::to_string(uint64_t{cycles} * runs) + " in a core";
}

Finding needless(const State& state, const SyncSite& site, const Component& c) {
  Finding finding;
  finding.code = site.is_barrier ? "EK1312" : "EK1309";
  finding.warning = true;
  finding.message = std::string(site.is_barrier ? "this barrier" : "this flag") + " ran " +
                    std::to_string(c.runs) +
                    " times in a core and never ordered two accesses that nothing else orders" +
                    cost_text(state, site, c.runs);
  finding.action = "remove it, or keep it only if it orders something that opkit cannot see";
  finding.at.pc = site.pc;
  finding.at.instruction = name_of(site);
  return finding;
}

uint64_t bits_of_root(State& state, uint32_t root) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < state.sync_sites.size(); ++i) {
    if (root_of(state, i) == root) bits |= bit_of(state, i);
  }
  return bits;
}

// The synchronisation that brought the same order first, when everything that it orders would be
// ordered without it, too: either of the two may go.
void name_partner(State& state, const Component& c, Finding* finding) {
  for (uint32_t i = 0; i < state.sync_sites.size(); ++i) {
    if (!(c.partners & ~c.bits & bit_of(state, i))) continue;
    if (bits_of_root(state, root_of(state, i)) & state.sole_sync) continue;
    const SyncSite& partner = state.sync_sites[root_of(state, i)];
    finding->other.pc = partner.pc;
    finding->other.instruction = name_of(partner);
    finding->action = "remove one of the two; each orders what the other does";
    return;
  }
}

bool may_go(State& state, const SyncSite& site) {
  return !(bits_of_root(state, site.root) & state.sole_sync);
}

}  // namespace

// A barrier over all pipes makes every flag around it needless; then the barrier is the culprit.
void judge_needless(State& state) {
  std::map<uint32_t, Component> components;
  const SyncSite* wall = nullptr;
  for (uint32_t i = 0; i < state.sync_sites.size(); ++i) {
    const SyncSite& site = state.sync_sites[i];
    Component& c = components[root_of(state, i)];
    c.bits |= bit_of(state, i);
    c.partners |= site.partners;
    c.runs = std::max(c.runs, site.runs);
    c.scalar |= site.scalar;
    if (site.is_barrier && site.pipe == OPK_PIPE_ALL && site.runs >= kEnoughRuns) wall = &site;
  }
  for (const auto& [root, c] : components) {
    if (c.scalar || c.runs < kEnoughRuns || (state.used_sync & c.bits)) continue;
    const SyncSite& site = state.sync_sites[root];
    const bool by_wall = wall && !site.is_barrier && may_go(state, *wall);
    Finding finding = needless(state, by_wall ? *wall : site, c);
    if (by_wall) {
      finding.message = "this barrier over all pipes repeats what flags order already" +
                        cost_text(state, *wall, wall->runs);
      finding.action = "remove the barrier, or the flags";
      finding.other.pc = site.pc;
      finding.other.instruction = name_of(site);
    } else {
      name_partner(state, c, &finding);
    }
    state.log.add(std::move(finding));
  }
}

}  // namespace opkit::core::checked
