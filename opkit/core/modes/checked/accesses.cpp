#include "opkit/core/modes/checked/accesses.h"

#include <algorithm>

#include "opkit/core/isa/operand.h"
#include "opkit/core/modes/checked/operands.h"

namespace opkit::core::checked {
namespace {

struct Judged {
  State& state;
  CoreState& core;
  Party who;
  const Access& access;
  std::string tensor;  // GM tensor's name, else empty
  bool reports_init;
  bool atomic;
  // Not 0: read in units of so many bytes: fractals, whose padding is loaded with the rest.
  uint32_t unit = 0;
  const ShadowMap* map = nullptr;
  uint64_t run_start = 0;
};

std::string where(const Judged& j, uint64_t first, uint64_t bytes) {
  std::string text = "bytes " + std::to_string(first) + " to " + std::to_string(first + bytes);
  if (!j.tensor.empty()) return text + " of GM tensor '" + j.tensor + "'";
  return text + " of " + memory_name(j.access.memory);
}

bool compiler_orders(const State& state, const CoreState& core, uint8_t a, uint8_t b) {
  if (!state.options.automatic_order || core.core->kind == OPK_CORE_AIC) return false;
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

// Whether a same-pipe pair needs a barrier at all: copies of one MTE only when both write.
bool pipe_keeps_order(uint8_t slot, bool earlier_writes, bool later_writes) {
  if (slot == kMte2 || slot == kMte3) return !(earlier_writes && later_writes);
  if (slot == kV) return !earlier_writes;
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
  CoreClocks& clocks = j.core.clocks;
  const uint8_t slot = j.who.pipe;
  if (earlier.core != j.who.core) {
    if (clocks.knows_remote(slot, earlier.core, earlier.pipe, earlier.epoch)) return;
    return report_pair(j, "EK1511", earlier, earlier_writes, first, bytes,
                       "nothing orders the two cores",
                       "put SyncAll or a cross-core flag between them, or give each core its own "
                       "part of the tensor");
  }
  const bool by_itself =
      (earlier.pipe == slot && pipe_keeps_order(slot, earlier_writes, j.access.write)) ||
      compiler_orders(j.state, j.core, earlier.pipe, slot);
  if (clocks.knows(slot, earlier.pipe, earlier.epoch)) {
    // The compiler's own order between vector instructions is often written out as a barrier; that
    // is not needless. A flag that does it by the way is.
    const bool same = by_itself && earlier.pipe == slot;
    j.state.used_sync |= clocks.sites_of(slot, earlier.pipe, earlier.epoch) &
                         (same ? j.state.barrier_sync : ~uint64_t{0});
    return;
  }
  if (!by_itself) return report_race(j, earlier, earlier_writes, first, bytes);
  if (earlier.pipe != slot) clocks.order(slot, earlier.pipe, earlier.epoch);
}

void report_unwritten(Judged& j, uint64_t first, uint64_t bytes) {
  State& state = j.state;
  const bool gm = j.access.memory == OPK_MEM_GM;
  const char* code = j.atomic ? "EK1402" : gm ? "EK1302" : "EK1301";
  if (state.log.repeated(code, state.sites[j.who.site].pc, nullptr)) return;
  Finding finding;
  finding.code = code;
  finding.message = (j.atomic ? "adds atomically to " : "reads ") + where(j, first, bytes) +
                    ", which nothing has written";
  finding.action = j.atomic ? "fill the output before the first atomic copy (InitOutput)"
                   : gm     ? "write the tensor before reading it back"
                            : "copy data in or fill the buffer (Duplicate) before reading it, and "
                              "process no more elements than were copied";
  finding.at = placed(j, j.who);
  state.log.add(std::move(finding));
}

// Every byte must have been written, but for the padding of fractals whose first rows were.
void judge_unwritten(Judged& j, uint64_t first, uint64_t bytes) {
  if (!j.unit) return report_unwritten(j, first, bytes);
  const uint64_t end = first + bytes;
  for (uint64_t at = first - (first - j.run_start) % j.unit; at < end; at += j.unit) {
    if (j.map->at(at).writer.kind == PartyKind::kFractals) continue;
    const uint64_t from = std::max(at, first);
    return report_unwritten(j, from, std::min(at + j.unit, end) - from);
  }
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

// Some of the bytes may be left alone, and it is not known which.
bool is_vague(const Access& a) { return a.partial && a.lane_bytes == 0; }

void judge_segment(Judged& j, Segment& s, uint64_t first, uint64_t bytes) {
  const Access& a = j.access;
  const bool reads = !a.write || j.atomic;
  if (reads && s.written == Written::kNever && !is_vague(a)) {
    if (j.reports_init && !a.reference) judge_unwritten(j, first, bytes);
    s.written = Written::kPerhaps;
  }
  if (j.state.options.races) judge_order(j, s, first, bytes);
  if (reads) return s.add_reader(j.who);
  s.writer = j.who;
  s.reader_count = 0;
  if (!is_vague(a))
    s.written = Written::kYes;
  else if (s.written == Written::kNever)
    s.written = Written::kPerhaps;
}

void judge_access(Judged& j) {
  const Access& a = j.access;
  ShadowMap* map = nullptr;
  const uint8_t* base = nullptr;
  if (a.memory == OPK_MEM_GM) {
    GmShadow* gm = j.state.gm_of(a.address);
    if (!gm) return;  // an input: never written
    map = &gm->map;
    base = gm->range->base;
    gm->accumulated |= j.atomic;
    j.tensor = gm->range->name;
  } else {
    map = &j.core.local[a.memory];
    base = j.core.core->memory[a.memory];
  }
  for_each_run(a, [&](const uint8_t* address, uint64_t bytes) {
    if (address < base) return;
    j.map = map;
    j.run_start = static_cast<uint64_t>(address - base);
    map->visit(static_cast<uint64_t>(address - base), bytes,
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
  state.log.add(std::move(finding));
}

bool makes_fractals(const Footprint& f) {
  return f.kind == InstructionKind::kCopy && f.instruction &&
         static_cast<const opk_copy_v1*>(f.instruction)->op == OPK_C_ND2NZ;
}

}  // namespace

void judge_accesses(State& state, CoreState& core, const Footprint& f) {
  const uint8_t slot = slot_of(f.pipe);
  core.clocks.issue(slot);
  const Party who = state.party(core, f.pc, f.name, slot);
  remember_operands(core, who, f);
  const bool init = state.options.initialisation && !core.refused;
  for (const bool writes : {false, true}) {
    for (uint32_t i = 0; i < f.access_count; ++i) {
      const Access& access = f.access[i];
      if (access.write != writes) continue;
      const bool gm = access.memory == OPK_MEM_GM;
      Judged judged{state, core, who, access, {}, init && !(gm && state.refused), false};
      if (f.kind == InstructionKind::kLoad && !writes) judged.unit = access.block_bytes;
      if (writes && makes_fractals(f)) judged.who.kind = PartyKind::kFractals;
      judged.atomic = gm && writes && core.core->atomic != OPK_ATOMIC_NONE && slot != kS;
      if (judged.atomic) judged.who.kind = PartyKind::kAtomic;
      judge_owner(state, core, access, who);
      judge_access(judged);
    }
  }
  if (f.kind == InstructionKind::kVector) judge_overlap(state, core, f, who);
  if (state.options.numerics) remember_result(state, core, f, who);
}

}  // namespace opkit::core::checked
