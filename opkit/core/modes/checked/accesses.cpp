#include "opkit/core/modes/checked/accesses.h"

#include <algorithm>

#include "opkit/core/isa/operand.h"
#include "opkit/core/modes/checked/cache.h"
#include "opkit/core/modes/checked/operands.h"
#include "opkit/core/modes/checked/queues.h"
#include "opkit/core/modes/checked/row_vectors.h"
#include "opkit/core/modes/checked/unset.h"
#include "opkit/core/modes/checked_codes.h"

namespace opkit::core::checked {
namespace {

struct Judged {
  State& state;
  CoreState& core;
  Party who;
  const Access& access;
  bool follows_unset;  // what it reads without a value is followed
  bool atomic;
  const uint8_t* base = nullptr;  // begins the memory or tensor
  const char* tensor = nullptr;   // its name, in GM
};

std::string where(const Judged& j, uint64_t first, uint64_t bytes) {
  std::string text = "bytes " + std::to_string(first) + " to " + std::to_string(first + bytes);
  if (j.tensor) return text + " of GM tensor '" + j.tensor + "'";
  return text + " of " + memory_name(j.access.memory);
}

// Tells whether the compiler puts order between an earlier access and the one of slot b. Without
// its help it still does inside a library call: there the source is opkit's.
bool compiler_orders(const State& state, const CoreState& core, const Party& earlier, uint8_t b) {
  const uint8_t a = earlier.pipe;
  const bool inside = core.core->library && core.clocks.since_call(a, earlier.epoch);
  if (!(state.options.automatic_order || inside) || core.core->kind == OPK_CORE_AIC) return false;
  if (a == kV && b == kV) return true;
  const uint8_t other = a == kS ? b : a;
  return (a == kS || b == kS) && (other == kV || other == kMte2 || other == kMte3);
}

const char* hazard(bool first_writes, bool second_writes) {
  if (!second_writes) return "read after write";
  return first_writes ? "write after write" : "write after read";
}

FindingPlace placed(const Judged& j, const Party& party) {
  FindingPlace place = j.state.place(party);
  place.operands = operands_of(j.state, j.core, party);
  return place;
}

void report_pair(Judged& j, const char* code, const Party& earlier, bool earlier_writes,
                 uint64_t first, uint64_t bytes, const char* why, std::string action) {
  State& state = j.state;
  if (state.log.repeated(code, state.sites[j.who.site].pc, state.sites[earlier.site].pc)) return;
  Finding finding;
  finding.code = code;
  finding.message = std::string(hazard(earlier_writes, j.access.write)) + " on " +
                    where(j, first, bytes) + ": " + why;
  finding.action = std::move(action);
  finding.at = placed(j, j.who);
  finding.other = placed(j, earlier);
  state.log.add(std::move(finding));
}

void report_race(Judged& j, const Party& earlier, bool earlier_writes, uint64_t first,
                 uint64_t bytes) {
  const std::string from = slot_name(earlier.pipe), to = slot_name(j.who.pipe);
  if (earlier.pipe == j.who.pipe) {
    return report_pair(j, "EK1304", earlier, earlier_writes, first, bytes,
                       "two instructions of one pipe may overlap in time",
                       "put PipeBarrier<PIPE_" + from + ">() between them");
  }
  report_pair(j, "EK1303", earlier, earlier_writes, first, bytes, "nothing orders the two pipes",
              "let " + to + " wait for " + from + ": SetFlag and WaitFlag<HardEvent::" + from +
                  "_" + to + ">, or hand the tensor over through a queue");
}

// Tells whether a same-pipe pair needs a barrier at all: copies of one MTE only when both write; a
// product that is added to a small one (page "Mmad": M/16 * N/16 below 10).
bool pipe_keeps_order(const Party& earlier, bool earlier_writes, bool later_writes) {
  switch (earlier.pipe) {
    case kMte2:
    case kMte3: return !(earlier_writes && later_writes);
    case kV: return !earlier_writes;
    case kM: return !(earlier.small_mmad && earlier_writes && !later_writes);
    default: return true;
  }
}

// UnitFlag: the hardware lets Fixpipe and Mmad wait for each other, block by block of L0C (pages
// "Mmad", "Fixpipe").
bool units_order(const Party& a, const Party& b) {
  return a.unit_flag && b.unit_flag && a.pipe != b.pipe;
}

constexpr uint32_t kSmallTile = 10;  // fractals of C

void describe(const Footprint& f, Party* who) {
  if (f.kind == InstructionKind::kMmad) {
    const auto& x = *static_cast<const opk_mmad_v1*>(f.instruction);
    who->unit_flag = x.unit_flag != 0;
    who->small_mmad = uint32_t{(x.m + 15u) / 16} * ((x.n + 15u) / 16) < kSmallTile;
  } else if (f.kind == InstructionKind::kFixpipe) {
    who->unit_flag = static_cast<const opk_fixpipe_v1*>(f.instruction)->unit_flag != 0;
  }
}

// Tells whether the order holds when a copy into the Fixpipe buffer is issued on FIX.
bool on_fix_pipe(Judged& j, const Party& earlier) {
  const bool copied = earlier.kind == PartyKind::kTable;
  if (copied && j.who.pipe == kFix) return true;
  if (j.who.kind != PartyKind::kTable) return false;
  if (earlier.pipe == kFix) return true;
  const CoreClocks& clocks = j.core.clocks;
  if (!clocks.knows(kFix, earlier.pipe, earlier.epoch)) return false;
  j.state.used_sync |= clocks.sites_of(kFix, earlier.pipe, earlier.epoch);
  return true;
}

void judge_pair(Judged& j, const Party& earlier, bool earlier_writes, uint64_t first,
                uint64_t bytes) {
  if (earlier.kind == PartyKind::kNone) return;
  if (j.atomic && earlier.kind == PartyKind::kAtomic) return;
  if (earlier.core == j.who.core && earlier.site == j.who.site &&
      earlier.occurrence == j.who.occurrence) {
    return;  // two runs of the same instruction
  }
  if (earlier.core == j.who.core && units_order(earlier, j.who)) return;
  CoreClocks& clocks = j.core.clocks;
  const uint8_t slot = j.who.pipe;
  if (earlier.core != j.who.core) {
    if (clocks.knows_remote(slot, earlier.core, earlier.pipe, earlier.epoch)) return;
    return report_pair(j, kRaceOfCores, earlier, earlier_writes, first, bytes,
                       "nothing orders the two cores",
                       "put SyncAll or a cross-core flag between them, or give each core its own "
                       "part of the tensor");
  }
  const bool by_itself =
      (earlier.pipe == slot && pipe_keeps_order(earlier, earlier_writes, j.access.write)) ||
      compiler_orders(j.state, j.core, earlier, slot);
  if (clocks.knows(slot, earlier.pipe, earlier.epoch)) {
    // The compiler's own order between vector instructions is often written out as a barrier; that
    // is not needless. A flag that does it by the way is.
    const bool same = by_itself && earlier.pipe == slot;
    const uint64_t mask = same ? j.state.barrier_sync : ~uint64_t{0};
    const uint64_t used = clocks.sites_of(slot, earlier.pipe, earlier.epoch) & mask;
    j.state.used_sync |= used;
    if (used & ~j.state.sole_sync)
      j.state.sole_sync |= used & ~clocks.spared(slot, earlier.pipe, earlier.epoch);
    return;
  }
  if (!by_itself && on_fix_pipe(j, earlier)) return;
  if (!by_itself) return report_race(j, earlier, earlier_writes, first, bytes);
  if (earlier.pipe != slot) clocks.order(slot, earlier.pipe, earlier.epoch);
}

void report_unfilled(Judged& j, uint64_t first, uint64_t bytes) {
  State& state = j.state;
  if (state.log.repeated(kUnfilledSum, state.sites[j.who.site].pc, nullptr)) return;
  Finding finding;
  finding.code = kUnfilledSum;
  finding.message = "adds atomically to " + where(j, first, bytes) + ", which nothing has written";
  finding.action = "fill the output before the first atomic copy (InitOutput)";
  finding.at = placed(j, j.who);
  state.log.add(std::move(finding));
}

// Memories start as bytes of ones: another value was written through a raw pointer.
bool was_written_raw(const Judged& j, uint64_t first, uint64_t bytes) {
  if (!j.state.options.poison || j.access.memory == OPK_MEM_GM) return false;
  const uint8_t* p = j.base + first;
  return std::any_of(p, p + bytes, [](uint8_t byte) { return byte != 0xFF; });
}

// Gather and its like read what their data choose; whether an unset byte is among it, is worked out
// from these data.
bool is_followed(const Judged& j, const Footprint& f) {
  return !is_vague(j.access) || f.kind == InstructionKind::kVector;
}

void collect_unset(Judged& j, Segment& s, uint64_t first, uint64_t bytes) {
  if (s.written == Written::kNever && was_written_raw(j, first, bytes)) {
    s.written = Written::kPerhaps;
    return;
  }
  const bool never = s.written == Written::kNever;
  j.state.unset_read.add(
      {j.base + first, bytes, never ? 0 : s.origin, never ? kAllBits : s.bits, &j.access});
}

// Atomic copies commute with each other: they stand among the readers of what they add to.
void judge_order(Judged& j, Segment& s, uint64_t first, uint64_t bytes) {
  const bool plain_write = j.access.write && !j.atomic;
  // Readers came after the write before them: who is ordered after them is ordered after it.
  if (!plain_write || s.reader_count == 0) judge_pair(j, s.writer, true, first, bytes);
  for (int i = 0; i < s.reader_count; ++i) {
    const bool atomic = s.readers[i].kind == PartyKind::kAtomic;
    if (plain_write || atomic != j.atomic) judge_pair(j, s.readers[i], atomic, first, bytes);
  }
}

bool has_no_value(const Segment& s) {
  return s.written == Written::kNever || s.written == Written::kUnset;
}

void judge_segment(Judged& j, Segment& s, uint64_t first, uint64_t bytes) {
  const Access& a = j.access;
  const bool reads = !a.write || j.atomic;
  if (reads && has_no_value(s)) {
    if (j.atomic && s.written == Written::kNever && j.follows_unset)
      report_unfilled(j, first, bytes);
    else if (!a.write && j.follows_unset)
      collect_unset(j, s, first, bytes);
    if (j.atomic || a.reference) s.written = Written::kPerhaps;
  }
  if (j.state.options.races) judge_order(j, s, first, bytes);
  if (reads && j.who.kind == PartyKind::kTable)
    return;  // who overwrites it may wait for either pipe
  if (reads) return s.add_reader(j.who);
  s.writer = j.who;
  s.reader_count = 0;
  if (!is_vague(a))
    s.written = Written::kYes;
  else if (has_no_value(s))
    s.written = Written::kPerhaps;
}

void judge_access(Judged& j) {
  const Access& a = j.access;
  ShadowMap* map = nullptr;
  if (a.memory == OPK_MEM_GM) {
    GmShadow* gm = j.state.gm_of(a.address);
    if (!gm) return;  // an input: never written
    map = &gm->map;
    j.base = gm->range->base;
    gm->accumulated |= j.atomic;
    j.tensor = gm->range->name;
  } else {
    map = &j.core.local[a.memory];
    j.base = j.core.core->memory[a.memory];
  }
  for_each_run(a, [&](const uint8_t* address, uint64_t bytes) {
    if (address < j.base) return;
    map->visit(static_cast<uint64_t>(address - j.base), bytes,
               [&](Segment& s, uint64_t first, uint64_t n) { judge_segment(j, s, first, n); });
  });
}

void judge_owner(State& state, CoreState& core, const Access& a, const Party& who) {
  if (a.memory == OPK_MEM_GM || a.buffer == 0 || a.buffer >= core.buffers.size()) return;
  BufferState& buffer = core.buffers[a.buffer];
  if (buffer.queue == 0) {
    if (!buffer.first_use_pc) buffer.first_use_pc = state.sites[who.site].pc;
    buffer.last_pc = state.sites[who.site].pc;
  }
  if (buffer.queue == 0 || buffer.hold != BufferState::Hold::kFree || !buffer.was_used) return;
  const uint8_t* base = core.core->memory[buffer.memory];
  if (a.address < base + buffer.offset || a.address >= base + buffer.offset + buffer.bytes) return;
  if (state.log.repeated("EK1118", state.sites[who.site].pc, buffer.last_pc)) return;
  Finding finding;
  finding.code = "EK1118";
  finding.message = std::string(a.write ? "writes" : "reads") + " a tensor of queue " +
                    std::to_string(buffer.queue) + " (buffer " + std::to_string(a.buffer) +
                    ") after FreeTensor gave it back";
  finding.action = "move FreeTensor behind the last use of the tensor";
  finding.at = state.place(who);
  finding.at.operands = operands_of(state, core, who);
  finding.other = state.place(core, buffer.last_pc, "FreeTensor");
  finding.buffers = {buffer_line(core, a.buffer)};
  state.log.add(std::move(finding));
}

// Registers and the blocks of Matmul objects keep what has no value, too.
bool follows(const State& state, const CoreState& core, const Footprint& f) {
  if (!state.unset_read.empty()) return true;
  if (f.kind == InstructionKind::kMatmul) return !core.unset_blocks.empty();
  return f.kind == InstructionKind::kVector && (core.unset_compare[0] | core.unset_compare[1]);
}

void keep_unset(State& state, CoreState& core, const Party& who) {
  for (const UnsetRun& run : state.unset_made) {
    const Spot spot = spot_of(state, core, run.begin);
    if (!spot.map) continue;
    spot.map->visit(spot.at, run.bytes, [&](Segment& s, uint64_t, uint64_t) {
      s.written = run.bits ? Written::kUnset : Written::kPerhaps;
      s.origin = run.origin;
      s.bits = run.bits;
    });
    if (!spot.gm || !run.bits) continue;
    spot.gm->was_unset = true;
    const auto [store, fresh] = state.unset_stores.try_emplace(who.site);
    if (fresh) store->second = {who, operands_of(state, core, who)};
  }
}

void follow_unset(State& state, CoreState& core, const Footprint& f, const Party& who) {
  judge_filler(state, core, f, who);
  if (!follows(state, core, f)) return;
  state.unset_read.sort();
  state.unset_made.clear();
  Spread spread{state, core, f, who, state.unset_read, state.unset_made};
  if (f.kind == InstructionKind::kScalar) return judge_scalar(spread, f.access[0]);
  spread_unset(spread);
  keep_unset(state, core, who);
}

// Scalars go past the atomic mode. What a Matmul object stores for a vector core does not, though
// it is ordered like scalar work.
bool stores_atomically(const CoreState& core, const Footprint& f) {
  if (core.core->atomic == OPK_ATOMIC_NONE) return false;
  return slot_of(f.pipe) != kS || f.kind == InstructionKind::kMatmul;
}

}  // namespace

void judge_accesses(State& state, CoreState& core, const Footprint& f) {
  const uint8_t slot = slot_of(f.pipe);
  core.clocks.issue(slot);
  Party who = state.party(core, f.pc, f.name, slot);
  if (f.instruction) describe(f, &who);
  remember_operands(core, who, f);
  if (f.kind == InstructionKind::kCopy && f.instruction) judge_padding(state, core, f, who);
  if (state.options.races) judge_cache(state, core, f, who);
  const bool init = state.options.initialisation && !core.refused;
  state.unset_read.clear();
  const PartyKind kind = kind_left_by(core, f);
  for (const bool writes : {false, true}) {
    for (uint32_t i = 0; i < f.access_count; ++i) {
      const Access& access = f.access[i];
      if (access.write != writes) continue;
      const bool gm = access.memory == OPK_MEM_GM;
      Judged judged{state, core, who, access, init && !(gm && state.refused), false};
      judged.follows_unset &= writes || is_followed(judged, f);
      if (writes || kind == PartyKind::kTable) judged.who.kind = kind;
      judged.atomic = gm && writes && stores_atomically(core, f);
      if (judged.atomic) judged.who.kind = PartyKind::kAtomic;
      judge_owner(state, core, access, who);
      judge_access(judged);
    }
  }
  // Who waits for one copy does not wait for the next one of the pipe. On V, where the compiler
  // keeps everything in order, who waits for one instruction waits for all that were issued.
  if (slot == kMte2 || slot == kMte3) core.clocks.end_instruction(slot);
  if (init && follows(state, core, f)) follow_unset(state, core, f, who);
  if (init && f.kind == InstructionKind::kCopy && f.instruction) note_filler(state, core, f, who);
  if (f.kind == InstructionKind::kVector) judge_overlap(state, core, f, who);
  if (f.kind == InstructionKind::kMmad) judge_row_vector(state, core, f, who);
  if (state.options.numerics) remember_result(state, core, f, who);
}

}  // namespace opkit::core::checked
