#include "opkit/core/modes/timed/cost.h"

#include <algorithm>
#include <array>
#include <bit>

#include "opkit/core/isa/cube/mmad.h"
#include "opkit/core/isa/operand.h"

namespace opkit::core::timed {
namespace {

constexpr uint32_t kRepeatBytes = 256;

VectorCostClass cost_of(const opk_vector_v1& v) {
  static constexpr VectorCostClass kCosts[] = {
#define X(id, name, sources, family, cost, ...) kCost##cost,
#include "opkit/abi/vector_ops.inc"
#undef X
  };
  return kCosts[v.op];
}

// widest: 1, 2, 4 or 8 bytes.
uint32_t repeat_eighths(const TimingRates& rates, VectorCostClass cost, uint32_t widest) {
  return rates.repeat_eighths[cost][static_cast<size_t>(std::countr_zero(widest))];
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

// A whole reduction is a sequence of repeat reductions, each on 1/E of the elements before.
uint64_t reduction_cycles(const TimingRates& rates, uint64_t repeats, uint32_t widest) {
  const uint64_t each = repeat_eighths(rates, kCostREDUCE, widest);
  uint64_t cycles = 0;
  for (const uint64_t lanes = kRepeatBytes / widest; repeats > 1;
       repeats = (repeats + lanes - 1) / lanes) {
    cycles += rates.vector_head + rates.vector_barrier + rates.reduce_latency + repeats * each / 8;
  }
  return cycles + rates.vector_head + each / 8;
}

struct Blocks {
  std::array<uint8_t, 8> group;
  std::array<uint8_t, 8> bank;
  uint32_t count = 0;
  uint64_t offset = 0;

  // Bank by bank: the chip delays the write by one repeat, and nothing conflicts.
  bool coincide(const Blocks& o) const {
    for (uint32_t i = 0; i < std::min(count, o.count); ++i) {
      if (group[i] != o.group[i] || bank[i] != o.bank[i]) return false;
    }
    return true;
  }
  bool meets(const Blocks& o, bool same_bank) const {
    for (uint32_t i = 0; i < count; ++i) {
      for (uint32_t k = 0; k < o.count; ++k) {
        if (group[i] == o.group[k] && (!same_bank || bank[i] == o.bank[k])) return true;
      }
    }
    return false;
  }
};

bool is_run(const Access& a) { return a.blocks <= 1; }
int64_t pitch_of(const Access& a) { return a.repeats > 1 ? a.repeat_pitch : int64_t{kRepeatBytes}; }

// The 32-byte blocks that a repeat of an operand touches. One whose block stride is 0 is told as
// one block: it is read once per repeat.
Blocks blocks_of(const TimingRates& rates, const Core& core, const Access& a, uint32_t repeat) {
  Blocks blocks;
  blocks.offset = static_cast<uint64_t>(a.address - core.memory[OPK_MEM_UB] + repeat * pitch_of(a));
  const uint32_t bytes = is_run(a) ? std::min(a.block_bytes, kRepeatBytes) : 32 * a.blocks;
  blocks.count = std::min(8u, (bytes + 31) / 32);
  for (uint32_t i = 0; i < blocks.count; ++i) {
    const uint64_t at = blocks.offset + i * static_cast<uint64_t>(is_run(a) ? 32 : a.block_pitch);
    blocks.group[i] = static_cast<uint8_t>(at / rates.bank_block % rates.bank_groups);
    blocks.bank[i] = static_cast<uint8_t>(at / rates.bank_span);
  }
  return blocks;
}

// Blocks of one repeat in one bank group are written one after the other.
uint32_t write_write(const Blocks& dst) {
  std::array<uint8_t, 256> load{};
  for (uint32_t i = 0; i < dst.count; ++i) ++load[dst.group[i]];
  return 1000u * std::max<uint32_t>(1, *std::max_element(load.begin(), load.end()));
}

// REQUIRES: the element types of Mmad are below 32.
uint32_t products_per_cycle(const TimingRates& rates, const opk_mmad_v1& m) {
  return m.a.dtype == OPK_FLOAT32 && m.hf32 ? rates.cube_products_hf32
                                            : rates.cube_products[m.a.dtype];
}

uint32_t k_unit(const TimingRates& rates, const opk_mmad_v1& m) {
  return m.a.dtype == OPK_FLOAT32 && m.k_layout == OPK_K_PADDED_16 ? 16 : rates.cube_k[m.a.dtype];
}

uint64_t up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

bool is_reduction(const opk_vector_v1& v) {
  const VectorCostClass cost = cost_of(v);
  return cost == kCostREDUCE || cost == kCostWHOLE_REDUCE || cost == kCostBLOCK_REDUCE ||
         cost == kCostPAIR_REDUCE;
}

uint64_t bytes_of(const Access& a) {
  return uint64_t{a.block_bytes} * std::max(a.blocks, 1u) * std::max(a.repeats, 1u);
}

namespace {

struct Operands {
  const Access* dst = nullptr;
  std::array<const Access*, 2> sources{};
  uint32_t count = 0;  // of sources
};

// A source whose repeat stride is 0 is read once for all repeats.
bool is_read_in(const Access& source, uint32_t repeat) {
  return repeat == 0 || pitch_of(source) != 0;
}

uint32_t factor_of(const TimingRates& rates, const Core& core, const Operands& o, uint32_t repeat) {
  std::array<Blocks, 2> sources;
  uint32_t count = 0;
  for (uint32_t i = 0; i < o.count; ++i) {
    if (is_read_in(*o.sources[i], repeat))
      sources[count++] = blocks_of(rates, core, *o.sources[i], repeat);
  }
  const Blocks target = blocks_of(rates, core, *o.dst, repeat);
  uint32_t factor = write_write(target);
  if (count == 2 && sources[0].offset != sources[1].offset && sources[0].meets(sources[1], false))
    factor = std::max(factor, rates.read_read_conflict);
  for (uint32_t i = 0; i < count; ++i) {
    if (!sources[i].coincide(target) && sources[i].meets(target, true))
      factor = std::max(factor, rates.read_write_conflict);
  }
  return factor;
}

// How many repeats tell what all do: operands that go on alike meet alike in every one; others
// come round when they have passed all groups.
uint32_t telling_repeats(const TimingRates& rates, const Operands& o) {
  uint32_t repeats = std::max(o.dst->repeats, 1u);
  bool alike = true;
  for (uint32_t i = 0; i < o.count; ++i) {
    alike = alike && pitch_of(*o.sources[i]) == pitch_of(*o.dst);
    repeats = std::max(repeats, o.sources[i]->repeats);
  }
  return alike ? 1 : std::min(repeats, rates.bank_groups);
}

}  // namespace

uint32_t bank_factor(const TimingRates& rates, const Core& core, const Footprint& f) {
  Operands o;
  for (uint32_t i = 0; i < f.access_count; ++i) {
    const Access& a = f.access[i];
    if (a.memory != OPK_MEM_UB) return 1000;
    if (a.write && !o.dst) o.dst = &a;
    if (!a.write && o.count < 2) o.sources[o.count++] = &a;
  }
  if (!o.dst) return 1000;
  const uint32_t repeats = telling_repeats(rates, o);
  uint32_t sum = 0;
  for (uint32_t r = 0; r < repeats; ++r) sum += factor_of(rates, core, o, r);
  return sum / repeats;
}

VectorCost vector_cost(const TimingRates& rates, const Core& core, const Footprint& f) {
  const auto& v = *static_cast<const opk_vector_v1*>(f.instruction);
  const uint32_t widest = widest_of(v);
  const uint64_t repeats = std::max<uint64_t>(repeats_of(core, v, widest), 1);
  VectorCost cost;
  cost.elements = repeats * (kRepeatBytes / widest);
  if (cost_of(v) == kCostREDUCE) {
    cost.cycles = reduction_cycles(rates, repeats, widest);
    return cost;
  }
  const uint64_t plain = (repeats * repeat_eighths(rates, cost_of(v), widest) + 7) / 8;
  // A repeat that takes longer than its operands' banks hides the conflict.
  const uint64_t banks = repeats * bank_factor(rates, core, f) / 1000;
  cost.conflict_cycles = banks > plain ? banks - plain : 0;
  cost.cycles = rates.vector_head + std::max(plain, banks);
  return cost;
}

MmadCost mmad_cost(const TimingRates& rates, const opk_mmad_v1& m) {
  // A 4:2 sparse product takes half of the steps along K.
  const uint64_t k = is_sparse(m) ? (m.k + 1) / 2 : m.k;
  const uint64_t products = up(m.m, rates.cube_m) * up(m.n, rates.cube_n) * up(k, k_unit(rates, m));
  return {products / products_per_cycle(rates, m), uint64_t{m.m} * m.n * k * 2};
}

}  // namespace opkit::core::timed
