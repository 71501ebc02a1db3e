#include "opkit/core/modes/checked/unset.h"

#include <algorithm>

#include "opkit/core/isa/operand.h"
#include "opkit/core/modes/checked/operands.h"
#include "opkit/core/modes/checked/queues.h"
#include "opkit/core/modes/checked_codes.h"

namespace opkit::core::checked {

namespace {

std::string place_text(const State& state, const CoreState& core, const UnsetRun& run,
                       const uint8_t* end) {
  const uint8_t memory = run.access->memory;
  const uint8_t* base = core.core->memory[memory];
  std::string where = std::string(" of ") + memory_name(memory);
  if (memory == OPK_MEM_GM) {
    const GmShadow* gm = const_cast<State&>(state).gm_of(run.begin);
    base = gm->range->base;
    where = std::string(" of GM tensor '") + gm->range->name + "'";
  }
  return "bytes " + std::to_string(run.begin - base) + " to " + std::to_string(end - base) + where;
}

const BufferState* buffer_of(const CoreState& core, const UnsetRun& run) {
  const uint16_t id = run.access->buffer;
  if (run.access->memory == OPK_MEM_GM || id == 0 || id >= core.buffers.size()) return nullptr;
  return &core.buffers[id];
}

// Whoever wrote the byte in front, when that byte belongs to the same operand or buffer.
FindingPlace writer_in_front(State& state, CoreState& core, const UnsetRun& run) {
  const Spot spot = spot_of(state, core, run.begin);
  const BufferState* buffer = buffer_of(core, run);
  const bool inside = run.begin > run.access->address || (buffer && spot.at > buffer->offset);
  if (!spot.map || spot.at == 0 || !inside) return {};
  const Party writer = spot.map->at(spot.at - 1).writer;
  return writer.kind == PartyKind::kNone ? FindingPlace{} : state.place(writer);
}

Finding finding_of(const UnsetOrigin& origin, const std::string& how) {
  Finding finding;
  finding.code = origin.gm ? kUnwrittenGm : "EK1301";
  finding.message = "reads " + origin.bytes + ", which nothing has written" + how;
  finding.action = origin.gm ? "write the tensor before reading it back"
                             : "copy data in or fill the buffer (Duplicate) before reading it, and "
                               "process no more elements than were copied";
  finding.at = origin.at;
  finding.near = origin.near;
  finding.buffers = origin.buffers;
  return finding;
}

// arrival: where the value decides something.
void report(State& state, uint32_t index, FindingPlace arrival, const std::string& bytes,
            const char* verb) {
  const UnsetOrigin& origin = state.origins[index];
  if (origin.filler) return;  // it has a value
  const bool same = arrival.pc == origin.at.pc;
  const char* code = origin.gm ? kUnwrittenGm : "EK1301";
  if (state.log.repeated(code, origin.at.pc, same ? nullptr : arrival.pc)) return;
  Finding finding = finding_of(
      origin, std::string(same ? ", and " : ", and what it makes of them ") + verb + bytes);
  if (!same) finding.other = std::move(arrival);
  state.log.add(std::move(finding));
}

}  // namespace

uint32_t Spread::origin_of(const UnsetRun& run) {
  if (run.origin) return run.origin;
  const auto [known, fresh] =
      state.origin_of.try_emplace(who.site, static_cast<uint32_t>(state.origins.size()));
  if (!fresh) return known->second;
  UnsetOrigin origin;
  const uint8_t* end = run.end();
  const uint64_t reach = uint64_t{run.access->block_bytes} * std::max(run.access->blocks, 1u);
  read.for_each(run.begin, reach, [&](const UnsetRun& next, const uint8_t*, uint64_t) {
    if (next.origin == 0 && next.begin == end) end = next.end();
  });
  origin.bytes = place_text(state, core, run, end);
  origin.gm = run.access->memory == OPK_MEM_GM;
  origin.at = state.place(who);
  origin.at.operands = operands_of(state, core, who);
  origin.near = writer_in_front(state, core, run);
  if (buffer_of(core, run)) origin.buffers = {buffer_line(core, run.access->buffer)};
  state.origins.push_back(std::move(origin));
  return known->second;
}

void Spread::make(const uint8_t* begin, uint64_t bytes, const UnsetRun& from, uint8_t bits) {
  if (bytes == 0 || bits == 0) return;
  const uint32_t origin = origin_of(from);
  if (!made.empty()) {
    UnsetRun& last = made.back();
    if (last.end() == begin && last.origin == origin && last.bits == bits) {
      last.bytes += bytes;
      return;
    }
  }
  made.push_back({begin, bytes, origin, bits, nullptr});
}

void Spread::make_perhaps(const uint8_t* begin, uint64_t bytes) {
  if (bytes) made.push_back({begin, bytes, 0, 0, nullptr});
}

void Spread::decides(const UnsetRun& run, const char* how) {
  FindingPlace arrival = state.place(who);
  arrival.operands = operands_of(state, core, who);
  report(state, origin_of(run), std::move(arrival), "", how);
}

void judge_scalar(Spread& s, const Access& access) {
  if (access.reference || !s.read.covers(access.address, access.block_bytes)) return;
  s.decides(*s.read.find(access.address, access.block_bytes), "becomes a scalar");
}

namespace {

void judge_left(State& state, GmShadow& gm) {
  for (uint64_t at = 0; at < gm.map.bytes();) {
    const ShadowMap::Known known = gm.map.at(at);
    const uint64_t first = at;
    at += known.bytes;
    if (known.written != Written::kUnset || known.bits != kAllBits) continue;
    FindingPlace arrival = state.place(known.writer);
    const auto store = state.unset_stores.find(known.writer.site);
    if (store != state.unset_stores.end() && store->second.who.core == known.writer.core &&
        store->second.who.occurrence == known.writer.occurrence)
      arrival.operands = store->second.operands;
    report(state, known.origin, std::move(arrival),
           "bytes " + std::to_string(first) + " to " + std::to_string(at) + " of GM tensor '" +
               gm.range->name + "'",
           "is left in ");
  }
}

}  // namespace

void judge_left_unset(State& state) {
  for (GmShadow& gm : state.gm) {
    if (gm.was_unset && !gm.range->scratch) judge_left(state, gm);
  }
}

void spread_whole(Spread& s) {
  bool all = true;
  const UnsetRun* first = nullptr;
  for (uint32_t i = 0; i < s.f.access_count; ++i) {
    const Access& a = s.f.access[i];
    if (a.write) continue;
    for_each_run(a, [&](const uint8_t* address, uint64_t bytes) {
      if (!first) first = s.read.find(address, bytes);
      all = all && s.read.covers(address, bytes);
    });
  }
  for (uint32_t i = 0; i < s.f.access_count; ++i) {
    const Access& a = s.f.access[i];
    if (!a.write) continue;
    for_each_run(a, [&](const uint8_t* address, uint64_t bytes) {
      all&& first ? s.make(address, bytes, *first) : s.make_perhaps(address, bytes);
    });
  }
}

void spread_unset(Spread& s) {
  if (!s.f.instruction) return;
  switch (s.f.kind) {
    case InstructionKind::kVector: return spread_vector(s);
    case InstructionKind::kTranspose16: return spread_transpose16(s);
    case InstructionKind::kCopy: return spread_copy(s);
    case InstructionKind::kLoad: return spread_load(s);
    case InstructionKind::kMmad: return spread_mmad(s);
    case InstructionKind::kFixpipe: return spread_fixpipe(s);
    case InstructionKind::kMatmul: return spread_matmul(s);
    case InstructionKind::kScalar: return;
  }
}

}  // namespace opkit::core::checked
