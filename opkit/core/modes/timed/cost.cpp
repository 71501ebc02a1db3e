#include "opkit/core/modes/timed/cost.h"

#include <algorithm>
#include <bit>

#include "opkit/core/isa/cube/mmad.h"
#include "opkit/core/isa/operand.h"
#include "opkit/core/isa/vector/call.h"
#include "opkit/core/modes/timed/composed.h"

namespace opkit::core::timed {
namespace {

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

// One behind the other, with a barrier between any two.
uint64_t composed_cycles(const TimingRates& rates, const Steps& steps, uint64_t repeats,
                         uint32_t widest) {
  const uint64_t eighths = steps.plain * uint64_t{repeat_eighths(rates, kCostPLAIN, widest)} +
                           steps.slow * uint64_t{repeat_eighths(rates, kCostSLOW, widest)};
  return steps.count() * uint64_t{rates.vector_head} +
         (steps.count() - 1) * uint64_t{rates.vector_barrier} + (repeats * eighths + 7) / 8;
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

VectorCost vector_cost(const TimingRates& rates, const Core& core, const Footprint& f,
                       BankConflicts& conflicts) {
  const auto& v = *static_cast<const opk_vector_v1*>(f.instruction);
  const uint32_t widest = widest_of(v);
  const uint64_t repeats = std::max<uint64_t>(repeats_of(core, v, widest), 1);
  VectorCost cost;
  cost.elements = repeats * (kRepeatBytes / widest);
  if (cost_of(v) == kCostREDUCE) {
    cost.cycles = reduction_cycles(rates, repeats, widest);
    return cost;
  }
  if (const Steps steps = steps_of(v.op); steps.count() > 0) {
    cost.cycles = composed_cycles(rates, steps, repeats, widest);
    return cost;
  }
  const uint64_t plain = (repeats * repeat_eighths(rates, cost_of(v), widest) + 7) / 8;
  // A repeat that takes longer than its operands' banks hides the conflict.
  const uint64_t banks = repeats * conflicts.factor(rates, core.memory[OPK_MEM_UB], f) / 1000;
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
