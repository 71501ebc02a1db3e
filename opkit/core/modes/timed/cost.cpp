#include "opkit/core/modes/timed/cost.h"

#include <algorithm>
#include <array>

#include "opkit/core/isa/operand.h"

namespace opkit::core::timed {
namespace {

constexpr uint32_t kRepeatBytes = 256;

// Eighths of a cycle per repeat. Elements per cycle are the vendor's table of instruction rates for
// NpuArch 2201; what it does not list runs at one repeat per cycle.
uint32_t repeat_eighths(const opk_vector_v1& v, uint32_t widest) {
  const uint32_t elements = kRepeatBytes / std::max(widest, 1u);
  const auto at_rate = [&](uint32_t per_cycle) { return elements * 8 / per_cycle; };
  switch (v.op) {
    case OPK_V_EXP:
    case OPK_V_LN:
    case OPK_V_SQRT:
    case OPK_V_DIV: return at_rate(32);
    case OPK_V_CAST: return widest == 8 ? at_rate(32) : widest == 4 ? at_rate(64) : 8;
    case OPK_V_MUL_ADD_DST:
    case OPK_V_GATHER_MASK: return 16;
    case OPK_V_ADD_DEQ_RELU: return 32;  // Add, Muls and two conversions: it has no instruction
    case OPK_V_BLOCK_REDUCE_SUM:
    case OPK_V_BLOCK_REDUCE_MAX:
    case OPK_V_BLOCK_REDUCE_MIN: return widest == 4 ? 8 : 56;
    case OPK_V_WHOLE_REDUCE_SUM:
    case OPK_V_WHOLE_REDUCE_MAX:
    case OPK_V_WHOLE_REDUCE_MIN: return 56;
    case OPK_V_GATHER: return at_rate(5);
    case OPK_V_GATHERB: return widest == 2 ? at_rate(42) : at_rate(21);
    case OPK_V_SORT32:
    case OPK_V_MRG_SORT: return at_rate(2);
    default: return 8;
  }
}

// A whole reduction is a sequence of repeat reductions, each on 1/E of the elements before.
bool is_whole_reduction(uint16_t op) {
  return op == OPK_V_REDUCE_SUM || op == OPK_V_REDUCE_MAX || op == OPK_V_REDUCE_MIN;
}

uint32_t widest_of(const opk_vector_v1& v) {
  uint32_t widest = 1;
  const uint32_t count = std::min<uint32_t>(v.operand_count, 2);
  for (uint32_t i = 0; i < count; ++i) widest = std::max(widest, dtype_bytes(v.operand[i].dtype));
  return widest;
}

uint64_t repeats_of(const Core& core, const opk_vector_v1& v, uint32_t widest) {
  uint64_t elements = v.count;
  if (v.form == OPK_LANES_MASK || (v.form == OPK_LANES_REGISTER && core.mask_mode == 0))
    return v.repeat;
  if (v.form == OPK_LANES_REGISTER) elements = core.mask[0];
  return (elements * widest + kRepeatBytes - 1) / kRepeatBytes;
}

uint64_t reduction_cycles(const TimingRates& rates, uint64_t repeats, uint32_t widest) {
  uint64_t cycles = 0;
  for (const uint64_t lanes = kRepeatBytes / widest; repeats > 1;
       repeats = (repeats + lanes - 1) / lanes) {
    cycles += rates.vector_head + rates.vector_barrier + rates.reduce_latency + repeats * 7;
  }
  return cycles + rates.vector_head + 7;
}

struct Blocks {
  std::array<uint8_t, 8> group;
  std::array<uint8_t, 8> bank;
  uint32_t count = 0;
  uint64_t offset = 0;

  bool meets(const Blocks& o, bool same_bank) const {
    for (uint32_t i = 0; i < count; ++i) {
      for (uint32_t k = 0; k < o.count; ++k) {
        if (group[i] == o.group[k] && (!same_bank || bank[i] == o.bank[k])) return true;
      }
    }
    return false;
  }
};

// The 32-byte blocks that the first repeat of an operand touches.
Blocks first_repeat(const Core& core, const Access& a) {
  Blocks blocks;
  blocks.offset = static_cast<uint64_t>(a.address - core.memory[OPK_MEM_UB]);
  const bool run = a.blocks <= 1;
  const uint32_t bytes = run ? std::min(a.block_bytes, kRepeatBytes) : 32 * a.blocks;
  blocks.count = std::min(8u, (bytes + 31) / 32);
  for (uint32_t i = 0; i < blocks.count; ++i) {
    const uint64_t at = blocks.offset + i * static_cast<uint64_t>(run ? 32 : a.block_pitch);
    blocks.group[i] = static_cast<uint8_t>(at >> 5 & 15);
    blocks.bank[i] = static_cast<uint8_t>(at >> 16 & 3);
  }
  return blocks;
}

// Blocks of one repeat in one bank group are written one after the other.
uint32_t write_write(const Blocks& dst) {
  std::array<uint8_t, 16> load{};
  for (uint32_t i = 0; i < dst.count; ++i) ++load[dst.group[i]];
  return 1000u * std::max<uint32_t>(1, *std::max_element(load.begin(), load.end()));
}

uint32_t products_per_cycle(const opk_mmad_v1& m) {
  switch (m.a.dtype) {
    case OPK_INT4: return 16 * 16 * 64;
    case OPK_INT8:
    case OPK_UINT8: return 16 * 16 * 32;
    case OPK_FLOAT32: return m.hf32 ? 16 * 16 * 8 : 16 * 16 * 4;
    default: return 16 * 16 * 16;
  }
}

uint32_t k_unit(const opk_mmad_v1& m) {
  switch (m.a.dtype) {
    case OPK_INT4: return 64;
    case OPK_INT8:
    case OPK_UINT8: return 32;
    case OPK_FLOAT32: return m.k_align16 ? 16 : 8;
    default: return 16;
  }
}

uint64_t up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

bool is_reduction(const opk_vector_v1& v) {
  switch (v.op) {
    case OPK_V_BLOCK_REDUCE_SUM:
    case OPK_V_BLOCK_REDUCE_MAX:
    case OPK_V_BLOCK_REDUCE_MIN:
    case OPK_V_WHOLE_REDUCE_SUM:
    case OPK_V_WHOLE_REDUCE_MAX:
    case OPK_V_WHOLE_REDUCE_MIN:
    case OPK_V_PAIR_REDUCE_SUM: return true;
    default: return is_whole_reduction(v.op);
  }
}

uint64_t bytes_of(const Access& a) {
  return uint64_t{a.block_bytes} * std::max(a.blocks, 1u) * std::max(a.repeats, 1u);
}

uint32_t bank_factor(const TimingRates& rates, const Core& core, const Footprint& f) {
  const Access* dst = nullptr;
  std::array<Blocks, 2> sources;
  uint32_t count = 0;
  for (uint32_t i = 0; i < f.access_count; ++i) {
    const Access& a = f.access[i];
    if (a.memory != OPK_MEM_UB) return 1000;
    if (a.write && !dst) dst = &a;
    if (!a.write && count < 2) sources[count++] = first_repeat(core, a);
  }
  if (!dst) return 1000;
  const Blocks target = first_repeat(core, *dst);
  uint32_t factor = write_write(target);
  if (count == 2 && sources[0].offset != sources[1].offset && sources[0].meets(sources[1], false))
    factor = std::max(factor, rates.read_read_conflict);
  for (uint32_t i = 0; i < count; ++i) {
    const bool coincide =
        sources[i].group[0] == target.group[0] && sources[i].bank[0] == target.bank[0];
    if (!coincide && sources[i].meets(target, true))
      factor = std::max(factor, rates.read_write_conflict);
  }
  return factor;
}

VectorCost vector_cost(const TimingRates& rates, const Core& core, const Footprint& f) {
  const auto& v = *static_cast<const opk_vector_v1*>(f.instruction);
  const uint32_t widest = widest_of(v);
  const uint64_t repeats = std::max<uint64_t>(repeats_of(core, v, widest), 1);
  VectorCost cost;
  cost.elements = repeats * (kRepeatBytes / widest);
  if (is_whole_reduction(v.op)) {
    cost.cycles = reduction_cycles(rates, repeats, widest);
    return cost;
  }
  const uint64_t plain = (repeats * repeat_eighths(v, widest) + 7) / 8;
  // A repeat that takes longer than its operands' banks hides the conflict.
  const uint64_t banks = repeats * bank_factor(rates, core, f) / 1000;
  cost.conflict_cycles = banks > plain ? banks - plain : 0;
  cost.cycles = rates.vector_head + std::max(plain, banks);
  return cost;
}

MmadCost mmad_cost(const opk_mmad_v1& m) {
  // A 4:2 sparse product takes half of the steps along K.
  const uint64_t k = m.a.dtype == OPK_INT8 && m.k_align16 == 2 ? (m.k + 1) / 2 : m.k;
  const uint64_t products = up(m.m, 16) * up(m.n, 16) * up(k, k_unit(m));
  return {products / products_per_cycle(m), uint64_t{m.m} * m.n * k * 2};
}

}  // namespace opkit::core::timed
