#include "opkit/core/modes/checked/row_vectors.h"

#include <algorithm>

#include "opkit/core/fractals/fractal.h"
#include "opkit/core/isa/operand.h"
#include "opkit/core/modes/checked/operands.h"

namespace opkit::core::checked {
namespace {

constexpr uint64_t kFractalRow = 32;  // bytes: a fractal and a plain row share the first ones

// Tells whether a fractal that the access begins with was written among others of a matrix.
bool has_panels(const CoreState& core, const Access& a) {
  const ShadowMap& map = core.local[a.memory];
  const auto first = static_cast<uint64_t>(a.address - core.core->memory[a.memory]);
  const uint64_t bytes = uint64_t{a.block_bytes} * std::max(a.blocks, 1u);
  for (uint32_t r = 0; r < std::max(a.repeats, 1u); ++r) {
    const uint64_t start = first + static_cast<uint64_t>(a.repeat_pitch) * r;
    for (uint64_t at = start; at < std::min(start + bytes, map.bytes()); at += kFractal) {
      if (map.at(at).writer.kind == PartyKind::kPanels) return true;
    }
  }
  return false;
}

PartyKind kind_left_by_load(const CoreState& core, const Footprint& f) {
  const auto& l = *static_cast<const opk_load_v1*>(f.instruction);
  if (l.dst.memory != OPK_MEM_L0A) return PartyKind::kPlain;
  const uint32_t bits = dtype_bits(l.src.dtype);
  const bool wide = l.op == OPK_L_3D ? uint64_t{l.k_extension} * bits > 8 * kFractalRow
                                     : (l.op != OPK_L_2D || l.transpose) && l.repeat > 1;
  if (wide || (f.access_count > 0 && f.access[0].memory == OPK_MEM_L1 && l.op == OPK_L_2D &&
               has_panels(core, f.access[0])))
    return PartyKind::kPanels;
  return PartyKind::kPlain;
}

}  // namespace

PartyKind kind_left_by(const CoreState& core, const Footprint& f) {
  if (!f.instruction) return PartyKind::kPlain;
  if (f.kind == InstructionKind::kLoad) return kind_left_by_load(core, f);
  if (f.kind != InstructionKind::kCopy) return PartyKind::kPlain;
  const auto& c = *static_cast<const opk_copy_v1*>(f.instruction);
  if (c.dst.memory == OPK_MEM_FB) return PartyKind::kTable;
  if (c.op != OPK_C_ND2NZ) return PartyKind::kPlain;
  const uint64_t row = uint64_t{c.columns} * std::max(1u, dtype_bytes(c.dst.dtype));
  return row > kFractalRow ? PartyKind::kPanels : PartyKind::kPlain;
}

void judge_row_vector(State& state, CoreState& core, const Footprint& f, const Party& who) {
  const auto& x = *static_cast<const opk_mmad_v1*>(f.instruction);
  const Access& row = f.access[0];
  if (x.m != 1 || row.memory != OPK_MEM_L0A || row.block_bytes <= kFractalRow) return;
  if (!has_panels(core, row) || state.log.repeated("EK1725", f.pc, nullptr)) return;
  Finding finding;
  finding.code = "EK1725";
  finding.message = "with m = 1 the left matrix is read as a plain row of " + std::to_string(x.k) +
                    " elements, but L0A holds it in fractals";
  finding.action =
      "load the row as it lies (DataCopy, then LoadData of whole fractals), or use m = "
      "16 and leave the other rows out of the result";
  finding.at = state.place(who);
  finding.at.operands = operands_of(state, core, who);
  state.log.add(std::move(finding));
}

}  // namespace opkit::core::checked
