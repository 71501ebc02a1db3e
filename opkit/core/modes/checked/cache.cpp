#include "opkit/core/modes/checked/cache.h"

#include <algorithm>
#include <string>

#include "opkit/core/modes/checked/operands.h"

namespace opkit::core::checked {
namespace {

constexpr uint64_t kLine = 64;  // bytes

uint64_t line_of(const uint8_t* address) { return reinterpret_cast<uintptr_t>(address) / kLine; }

// Returns the bytes [address, address + n) within their line.
uint64_t mask_of(const uint8_t* address, uint64_t n) {
  const uint64_t first = reinterpret_cast<uintptr_t>(address) % kLine;
  const uint64_t some = n >= kLine ? ~uint64_t{0} : (uint64_t{1} << n) - 1;
  return some << first;
}

std::string range_text(const GmShadow& gm, const uint8_t* address, uint64_t bytes) {
  const auto first = static_cast<uint64_t>(address - gm.range->base);
  return "bytes " + std::to_string(first) + " to " + std::to_string(first + bytes) +
         " of GM tensor '" + gm.range->name + "'";
}

void report(State& state, CoreState& core, const char* code, const Party& who, const Party& other,
            std::string message, const char* action) {
  if (state.log.repeated(code, state.sites[who.site].pc, state.sites[other.site].pc)) return;
  Finding finding;
  finding.code = code;
  finding.message = std::move(message);
  finding.action = action;
  finding.at = state.place(who);
  finding.at.operands = operands_of(state, core, who);
  finding.other = state.place(other);
  state.log.add(std::move(finding));
}

constexpr const char* kClean =
    "call DataCacheCleanAndInvalid on the line after SetValue, before anybody else reads it";

bool same_write(const Party& a, const Party& b) {
  return a.same_origin(b) && a.occurrence == b.occurrence;
}

// Notes who had written the bytes of a line at the time at which the core takes it in.
void fill(CachedLine& line, const GmShadow& gm, const uint8_t* address) {
  const auto offset = static_cast<uint64_t>(address - gm.range->base);
  const uint64_t in_line = reinterpret_cast<uintptr_t>(address) % kLine;
  uint64_t at = offset - std::min(offset, in_line);
  const uint64_t end = std::min(offset + kLine - in_line, gm.map.bytes());
  while (at < end) {
    const ShadowMap::Known known = gm.map.at(at);
    line.writers.push_back({gm.range->base + at, known.writer});
    at += known.bytes;
  }
}

Party writer_then(const CachedLine& line, const uint8_t* address) {
  Party writer;
  for (const CachedLine::Writer& w : line.writers) {
    if (w.from <= address) writer = w.who;
  }
  return writer;
}

CachedLine& take_in(CoreState& core, const GmShadow& gm, const uint8_t* address) {
  const auto [found, fresh] = core.cached.try_emplace(line_of(address));
  if (fresh) fill(found->second, gm, address);
  return found->second;
}

void judge_scalar_read(State& state, CoreState& core, const GmShadow& gm, const Access& a,
                       const Party& who) {
  const CachedLine& line = take_in(core, gm, a.address);
  if ((line.own & mask_of(a.address, a.block_bytes)) != 0) return;
  const Party now = gm.map.at(static_cast<uint64_t>(a.address - gm.range->base)).writer;
  if (now.kind == PartyKind::kNone || same_write(now, writer_then(line, a.address))) return;
  report(state, core, "EK1318", who, now,
         "reads " + range_text(gm, a.address, a.block_bytes) +
             " out of the scalar cache, which holds the line of 64 bytes as it was before they "
             "were written",
         "call DataCacheCleanAndInvalid on the line before reading it again");
}

constexpr const char* kApart =
    "keep what cores write 64 bytes apart, or copy it out of UB with DataCopyPad";

bool is_ordered(const CoreState& core, const Party& who, const Party& earlier) {
  return earlier.kind == PartyKind::kNone || earlier.core == who.core ||
         core.clocks.knows_remote(who.pipe, earlier.core, earlier.pipe, earlier.epoch);
}

// A line goes back as a whole: what another core stores into it meanwhile, by whatever way, may be
// lost.
void report_shared_line(State& state, CoreState& core, const GmShadow& gm, const uint8_t* address,
                        uint64_t bytes, const Party& who, const Party& other) {
  report(state, core, "EK1319", who, other,
         "writes " + range_text(gm, address, bytes) +
             ", into a line of 64 bytes that another core writes, too, one of them through its "
             "scalar cache; nothing orders the two: what one of them writes is lost",
         kApart);
}

// Judges writers of other bytes of the line; those of these bytes are a race like any other.
void judge_neighbours(State& state, CoreState& core, const GmShadow& gm, const Access& a,
                      const Party& who) {
  const auto offset = static_cast<uint64_t>(a.address - gm.range->base);
  const uint64_t in_line = reinterpret_cast<uintptr_t>(a.address) % kLine;
  const uint64_t end = std::min(offset + kLine - in_line, gm.map.bytes());
  for (uint64_t at = offset - std::min(offset, in_line); at < end;) {
    const ShadowMap::Known known = gm.map.at(at);
    const bool same = at < offset + a.block_bytes && offset < at + known.bytes;
    at += known.bytes;
    if (same || is_ordered(core, who, known.writer)) continue;
    return report_shared_line(state, core, gm, a.address, a.block_bytes, who, known.writer);
  }
}

// A copy that fills a part of a line which the scalar cache of another core has written back.
void judge_part_of_line(State& state, CoreState& core, const GmShadow& gm, const uint8_t* address,
                        uint64_t bytes, const Party& who) {
  const auto found = state.returned.find(line_of(address));
  if (found == state.returned.end()) return;
  for (const DirtyLine& line : found->second) {
    if ((line.bytes & mask_of(address, bytes)) != 0 || is_ordered(core, who, line.who)) continue;
    return report_shared_line(state, core, gm, address, bytes, who, line.who);
  }
}

void judge_ends(State& state, CoreState& core, const GmShadow& gm, const uint8_t* address,
                uint64_t bytes, const Party& who) {
  const uint64_t first = std::min(bytes, kLine - reinterpret_cast<uintptr_t>(address) % kLine);
  judge_part_of_line(state, core, gm, address, first, who);
  const uint8_t* end = address + bytes;
  const uint64_t last = reinterpret_cast<uintptr_t>(end) % kLine;
  if (bytes > first && last > 0) judge_part_of_line(state, core, gm, end - last, last, who);
}

void judge_scalar_write(State& state, CoreState& core, const GmShadow& gm, const Access& a,
                        const Party& who) {
  CachedLine& line = take_in(core, gm, a.address);
  line.own |= mask_of(a.address, a.block_bytes);
  judge_neighbours(state, core, gm, a, who);
  std::vector<DirtyLine>& dirty = state.dirty[line_of(a.address)];
  DirtyLine* mine = nullptr;
  for (DirtyLine& d : dirty) {
    if (d.core == core.index) {
      mine = &d;
      continue;
    }
    report(state, core, "EK1319", who, d.who,
           "writes " + range_text(gm, a.address, a.block_bytes) +
               ", whose line of 64 bytes the scalar cache of another core has changed, too: what "
               "one of them writes is lost",
           kApart);
  }
  if (!mine) mine = &dirty.emplace_back(DirtyLine{core.index, 0, who});
  mine->bytes |= mask_of(a.address, a.block_bytes);
  mine->who = who;
}

// Bytes that SetValue wrote and that have not left the cache.
void judge_read(State& state, CoreState& core, const GmShadow& gm, const Party& who,
                const uint8_t* address, uint64_t bytes) {
  for (const uint8_t* end = address + bytes; address < end;) {
    const uint64_t in_line = reinterpret_cast<uintptr_t>(address) % kLine;
    const uint64_t n = std::min<uint64_t>(kLine - in_line, static_cast<uint64_t>(end - address));
    const auto found = state.dirty.find(line_of(address));
    if (found != state.dirty.end()) {
      for (const DirtyLine& d : found->second) {
        if (!(d.bytes & mask_of(address, n)) || (d.core == core.index && who.pipe == kS)) continue;
        report(state, core, "EK1318", who, d.who,
               "reads " + range_text(gm, address, n) +
                   ", which SetValue has left in the scalar cache of its core",
               kClean);
      }
    }
    address += n;
  }
}

}  // namespace

void judge_cache(State& state, CoreState& core, const Footprint& f, const Party& who) {
  const bool scalar = f.kind == InstructionKind::kScalar;
  if (!scalar && state.dirty.empty() && state.returned.empty()) return;
  for (uint32_t i = 0; i < f.access_count; ++i) {
    const Access& a = f.access[i];
    if (a.memory != OPK_MEM_GM) continue;
    const GmShadow* gm = state.gm_of(a.address);
    if (!gm) continue;
    if (!a.write && !state.dirty.empty()) {
      for_each_run(a, [&](const uint8_t* address, uint64_t bytes) {
        judge_read(state, core, *gm, who, address, bytes);
      });
    }
    if (a.write && !scalar && !state.returned.empty()) {
      for_each_run(a, [&](const uint8_t* address, uint64_t bytes) {
        judge_ends(state, core, *gm, address, bytes, who);
      });
    }
    if (!scalar) continue;
    if (!a.write) judge_scalar_read(state, core, *gm, a, who);
    if (a.write) judge_scalar_write(state, core, *gm, a, who);
  }
}

namespace {

// Keeps each core's last write: what is ordered behind it is behind its others, too.
void keep_returned(std::vector<DirtyLine>& lines, const DirtyLine& line) {
  for (DirtyLine& known : lines) {
    if (known.core != line.core) continue;
    known.bytes |= line.bytes;
    known.who = line.who;
    return;
  }
  lines.push_back(line);
}

}  // namespace

void clean_cache(State& state, CoreState& core, const uint8_t* line) {
  const auto clean = [&](uint64_t index) {
    const auto found = state.dirty.find(index);
    if (found == state.dirty.end()) return;
    std::vector<DirtyLine>& dirty = found->second;
    const auto mine = std::partition(dirty.begin(), dirty.end(),
                                     [&](const DirtyLine& d) { return d.core != core.index; });
    for (auto d = mine; d != dirty.end(); ++d) keep_returned(state.returned[index], *d);
    dirty.erase(mine, dirty.end());
    if (dirty.empty()) state.dirty.erase(found);
  };
  if (line) {
    clean(line_of(line));
    core.cached.erase(line_of(line));
    return;
  }
  for (const auto& [index, cached] : core.cached) clean(index);
  core.cached.clear();
}

}  // namespace opkit::core::checked
