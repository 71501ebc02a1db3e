// Filler of DataCopyPad: every block of rows that are no whole 32 bytes ends with some (page
// "DataCopyPad(ISASI)": blocks lie at multiples of 32 bytes of UB).
#include <string>

#include "opkit/core/isa/copy_form.h"
#include "opkit/core/modes/checked/accesses.h"
#include "opkit/core/modes/checked/operands.h"
#include "opkit/core/modes/checked/state.h"
#include "opkit/core/modes/checked/unset.h"

namespace opkit::core::checked {
namespace {

// Marks keys of State::origin_of that are for filler, beside the sites of unset bytes.
constexpr uint32_t kFillerKey = 1u << 31;

bool is_filler(const State& state, const UnsetRun& run) { return state.origins[run.origin].filler; }

// Tells whether what takes lanes apart from each other keeps filler where it is.
bool keeps_filler(const Footprint& f) {
  if (f.kind == InstructionKind::kCopy) return f.access[f.access_count - 1].memory == OPK_MEM_UB;
  if (f.kind != InstructionKind::kVector || !f.instruction) return false;
  const auto op = static_cast<const opk_vector_v1*>(f.instruction)->op;
  return op < OPK_V_REDUCE_SUM || op > OPK_V_PAIR_REDUCE_SUM;
}

uint32_t origin_at(State& state, CoreState& core, const opk_copy_v1& c, const Party& who) {
  const auto [known, fresh] = state.origin_of.try_emplace(
      who.site | kFillerKey, static_cast<uint32_t>(state.origins.size()));
  if (!fresh) return known->second;
  UnsetOrigin origin;
  origin.filler = true;
  origin.bytes =
      std::to_string(c.block_bytes) + " to " + std::to_string(whole_blocks(c.block_bytes));
  origin.at = state.place(who);
  origin.at.operands = operands_of(state, core, who);
  state.origins.push_back(std::move(origin));
  return known->second;
}

void report(State& state, CoreState& core, const UnsetOrigin& origin, const Party& who) {
  const void* pc = state.sites[who.site].pc;
  if (state.log.repeated("EK1016", pc, origin.at.pc)) return;
  Finding finding;
  finding.code = "EK1016";
  finding.warning = true;
  finding.message = "stores filler of a DataCopyPad: bytes " + origin.bytes +
                    " of each row, which it made to place the next row at a multiple of 32 bytes";
  finding.action =
      "store one block per row with that pitch in UB (blockCount rows of blockLen bytes), or "
      "compute on rows of whole 32 bytes";
  finding.at = state.place(who);
  finding.at.operands = operands_of(state, core, who);
  finding.other = origin.at;
  state.log.add(std::move(finding));
}

}  // namespace

void note_filler(State& state, CoreState& core, const Footprint& f, const Party& who) {
  const auto& c = *static_cast<const opk_copy_v1*>(f.instruction);
  constexpr uint8_t kIsPad = 1;
  const uint64_t whole = whole_blocks(c.block_bytes);
  if (c.op != OPK_C_PAD_IN || (c.flags & kIsPad) || c.pad_left || c.pad_right ||
      whole == c.block_bytes || c.dst.memory != OPK_MEM_UB)
    return;
  const uint32_t origin = origin_at(state, core, c, who);
  for (uint32_t b = 0; b < c.block_count; ++b) {
    const Spot spot = spot_of(state, core, at(c.dst, b * c.dst_pitch) + c.block_bytes);
    if (!spot.map) return;
    spot.map->visit(spot.at, whole - c.block_bytes, [&](Segment& s, uint64_t, uint64_t) {
      if (s.written != Written::kYes) return;
      s.written = Written::kUnset;
      s.origin = origin;
      s.bits = kAllBits;
    });
  }
}

void judge_filler(State& state, CoreState& core, const Footprint& f, const Party& who) {
  const bool by_bytes = f.kind == InstructionKind::kCopy && f.instruction &&
                        static_cast<const opk_copy_v1*>(f.instruction)->op == OPK_C_PAD_OUT;
  for (const UnsetRun& run : state.unset_read.runs()) {
    if (by_bytes && is_filler(state, run)) report(state, core, state.origins[run.origin], who);
  }
  if (keeps_filler(f)) return;
  state.unset_read.remove([&](const UnsetRun& run) { return is_filler(state, run); });
}

}  // namespace opkit::core::checked
