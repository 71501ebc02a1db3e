// Operands in words, and where the buffers of TPipe lie.
#include "opkit/core/modes/checked/operands.h"

#include <algorithm>

#include "opkit/core/isa/operand.h"

namespace opkit::core::checked {
namespace {

// First byte and the one behind the last.
struct Range {
  const uint8_t *begin, *end;
};

Range range_of(const Access& a) {
  const int64_t blocks = std::max<int64_t>(a.blocks, 1) - 1;
  const int64_t repeats = std::max<int64_t>(a.repeats, 1) - 1;
  const int64_t across = blocks * a.block_pitch, along = repeats * a.repeat_pitch;
  return {a.address + std::min<int64_t>(across, 0) + std::min<int64_t>(along, 0),
          a.address + std::max<int64_t>(across, 0) + std::max<int64_t>(along, 0) + a.block_bytes};
}

const GmRange* gm_range(const State& state, const uint8_t* address) {
  const LaunchRequest& request = *state.request;
  for (uint32_t i = 0; i < request.gm_count; ++i) {
    const GmRange& range = request.gm[i];
    if (address >= range.base && address < range.base + range.bytes) return &range;
  }
  return nullptr;
}

std::string text_of(const State& state, const CoreState& core, const Access& a) {
  const Range range = range_of(a);
  const uint8_t* base = core.core->memory[a.memory];
  std::string text = memory_name(a.memory);
  if (a.memory == OPK_MEM_GM) {
    const GmRange* gm = gm_range(state, a.address);
    if (!gm) return text;
    base = gm->base;
    text += std::string(" '") + gm->name + "'";
  }
  return text + " " + std::to_string(range.begin - base) + ".." + std::to_string(range.end - base);
}

}  // namespace

void remember_operands(CoreState& core, const Party& party, const Footprint& f) {
  if (core.recent.size() <= party.site) core.recent.resize(party.site + 1);
  Recent& recent = core.recent[party.site];
  recent.occurrence = party.occurrence;
  recent.count = std::min<uint32_t>(f.access_count, Recent::kMost);
  std::copy_n(f.access.begin(), recent.count, recent.access.begin());
}

std::string operands_of(const State& state, const CoreState& core, const Party& party) {
  if (party.core != core.index || party.site >= core.recent.size()) return {};
  const Recent& recent = core.recent[party.site];
  if (recent.occurrence != party.occurrence) return {};
  std::string text[2];
  for (uint32_t i = 0; i < recent.count; ++i) {
    const Access& a = recent.access[i];
    std::string& side = text[a.write];
    side += (side.empty() ? (a.write ? "writes " : "reads ") : ", ") + text_of(state, core, a);
  }
  return text[1] + (text[0].empty() || text[1].empty() ? "" : "; ") + text[0];
}

}  // namespace opkit::core::checked
