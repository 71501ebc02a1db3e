// What vector instructions make of unset bytes, lane by lane.
#include <algorithm>

#include "opkit/core/isa/vector/lanes.h"
#include "opkit/core/modes/checked/spread_call.h"
#include "opkit/core/modes/checked/state.h"
#include "opkit/core/modes/checked/unset.h"

namespace opkit::core::checked {
namespace {

// Bits of the result come from the same bits of the sources.
bool is_bitwise(uint16_t op) {
  return op == OPK_V_NOT || op == OPK_V_AND || op == OPK_V_OR || op == OPK_V_XOR ||
         op == OPK_V_COPY;
}

uint32_t elements_per_repeat(const VectorCall& call) {
  uint32_t widest = 1;
  for (unsigned i = 0; i < call.v.operand_count; ++i) widest = std::max(widest, call.bits(i));
  return 8 * kRepeatBytes / widest;
}

// Bytes of element i of a repeat.
struct Lane {
  uint8_t* at;
  uint64_t bytes;
};
Lane lane_of(const Side& side, uint32_t r, uint32_t i) {
  uint8_t* block = side.at(r) + uint64_t{i / side.per_block} * side.block_step;
  return {block + side.bytes(i % side.per_block), std::max(1u, side.bits / 8)};
}

// Returns an upper bound of what a repeat touches.
uint64_t reach_of(const Side& side, uint32_t per_repeat) {
  return uint64_t{(per_repeat - 1) / side.per_block} * side.block_step + kBlockBytes;
}

// Elements that lie one after the other: whole runs at a time.
void spread_row(Spread& s, const VectorCall& call, unsigned from) {
  const uint64_t n = call.v.count, sbits = call.bits(from), dbits = call.bits(0);
  const uint8_t* src = call.address(from);
  const bool bitwise = is_bitwise(call.v.op);
  s.read.for_each(src, (n * sbits + 7) / 8,
                  [&](const UnsetRun& run, const uint8_t* begin, uint64_t bytes) {
                    const auto at = static_cast<uint64_t>(begin - src);
                    if (bitwise) return s.make(call.address(0) + at, bytes, run, run.bits);
                    const uint64_t first = at * 8 / sbits;
                    const uint64_t last = std::min(n, ((at + bytes) * 8 + sbits - 1) / sbits);
                    const uint64_t to = first * dbits / 8, end = (last * dbits + 7) / 8;
                    s.make(call.address(0) + to, end - to, run, kAllBits);
                  });
}

void spread_repeat(Spread& s, const VectorCall& call, const Side* side, const Mask& mask,
                   uint32_t r, unsigned from) {
  const bool bitwise = is_bitwise(call.v.op);
  for (uint32_t i = 0; i < mask.end(); ++i) {
    if (!mask.test(i)) continue;
    const Lane lane = lane_of(side[from], r, i), to = lane_of(side[0], r, i);
    if (!bitwise) {
      if (const UnsetRun* run = s.read.find(lane.at, lane.bytes)) s.make(to.at, to.bytes, *run);
      continue;
    }
    s.read.for_each(lane.at, lane.bytes,
                    [&](const UnsetRun& run, const uint8_t* begin, uint64_t bytes) {
                      s.make(to.at + (begin - lane.at), bytes, run, run.bits);
                    });
  }
}

void spread_repeats(Spread& s, const VectorCall& call, unsigned from) {
  const uint32_t per_repeat = elements_per_repeat(call);
  Lanes lanes;
  if (!lanes_of(call, per_repeat, lanes)) return;
  Side side[OPK_VECTOR_OPERANDS];
  side[0] = side_of(call, 0, per_repeat);
  side[from] = side_of(call, from, per_repeat);
  const uint64_t reach = reach_of(side[from], per_repeat);
  for (uint32_t r = 0; r < lanes.repeats; ++r) {
    if (s.read.find(side[from].at(r), reach)) spread_repeat(s, call, side, lanes.of(r), r, from);
  }
}

void spread_elementwise(Spread& s, const VectorCall& call) {
  const unsigned count = call.v.operand_count;
  const Row& row =
      find_row(call.v.op, call.operand(0).dtype, call.operand(count > 1 ? 1 : 0).dtype);
  for (unsigned i = row.reads_dst ? 0 : 1; i < count; ++i) {
    call.v.form == OPK_LANES_COUNT ? spread_row(s, call, i) : spread_repeats(s, call, i);
  }
}

// --- bits that tell lanes ------------------------------------------------------------------------

// The lanes of a compare are whole iterations.
uint32_t compared_repeats(const VectorCall& call, uint32_t per_repeat) {
  if (call.v.form == OPK_LANES_COUNT) return call.v.count / per_repeat;
  return call.v.flags & 1 ? 1 : call.v.repeat;
}

// Returns the source lane without a value that decides bit i, or nullptr.
const UnsetRun* compared(const Spread& s, const VectorCall& call, const Side* side, uint32_t r,
                         uint32_t i) {
  for (unsigned k = 1; k < call.v.operand_count; ++k) {
    const Lane lane = lane_of(side[k], r, i);
    if (const UnsetRun* run = s.read.find(lane.at, lane.bytes)) return run;
  }
  return nullptr;
}

void keep_in_register(Spread& s, uint32_t i, const UnsetRun* run) {
  const uint64_t bit = uint64_t{1} << i % 64;
  if (!(s.core.core->mask[i / 64] & bit)) return;
  uint64_t& word = s.core.unset_compare[i / 64];
  word = run ? word | bit : word & ~bit;
  if (run) s.core.compare_origin = s.origin_of(*run);
}

void spread_compare(Spread& s, const VectorCall& call) {
  const uint32_t per_repeat = 8 * kRepeatBytes / call.bits(1);
  Side side[3];
  for (unsigned i = 1; i < call.v.operand_count; ++i) side[i] = side_of(call, i, per_repeat);
  const bool to_register = (call.v.flags & 1) != 0;
  for (uint32_t r = 0; r < compared_repeats(call, per_repeat); ++r) {
    for (uint32_t i = 0; i < per_repeat; i += 8) {
      uint8_t bits = 0;
      const UnsetRun* any = nullptr;
      for (uint32_t b = 0; b < 8; ++b) {
        const UnsetRun* run = compared(s, call, side, r, i + b);
        if (to_register) keep_in_register(s, i + b, run);
        if (!run) continue;
        bits = static_cast<uint8_t>(bits | 1u << b);
        any = run;
      }
      if (any && !to_register)
        s.make(call.address(0) + uint64_t{r} * per_repeat / 8 + i / 8, 1, *any, bits);
    }
  }
}

// Returns the run that makes lane i of repeat r unset, or nullptr.
const UnsetRun* selected(const Spread& s, const VectorCall& call, const Side* side, uint32_t r,
                         uint32_t i, UnsetRun& from_register) {
  const uint32_t per_repeat = 8 * kRepeatBytes / call.bits(0);
  const bool by_register = (call.v.flags & 1) != 0, again = by_register || call.v.mode == 0;
  const uint32_t bit = again ? i : r * per_repeat + i;
  const uint8_t* bits =
      by_register ? reinterpret_cast<const uint8_t*>(s.core.core->cmp_mask) : call.address(1);
  if (by_register && (s.core.unset_compare[bit / 64] >> bit % 64 & 1)) {
    from_register.origin = s.core.compare_origin;
    return &from_register;
  }
  if (!by_register) {
    const UnsetRun* run = s.read.find(bits + bit / 8, 1);
    if (run && (run->bits >> bit % 8 & 1)) return run;
  }
  const unsigned chosen = bits[bit / 8] >> bit % 8 & 1 ? 2 : 3;
  if (chosen >= call.v.operand_count) return nullptr;  // the scalar
  const Lane lane = lane_of(side[chosen], r, i);
  return s.read.find(lane.at, lane.bytes);
}

void spread_select(Spread& s, const VectorCall& call) {
  const uint32_t per_repeat = 8 * kRepeatBytes / call.bits(0);
  Lanes lanes;
  if (!lanes_of(call, per_repeat, lanes)) return;
  Side side[OPK_VECTOR_OPERANDS];
  for (unsigned i = 0; i < call.v.operand_count; ++i) {
    if (i != 1) side[i] = side_of(call, i, per_repeat);
  }
  for (uint32_t r = 0; r < lanes.repeats; ++r) {
    const Mask& mask = lanes.of(r);
    for (uint32_t i = 0; i < mask.end(); ++i) {
      UnsetRun room;
      const UnsetRun* run = mask.test(i) ? selected(s, call, side, r, i, room) : nullptr;
      const Lane to = lane_of(side[0], r, i);
      if (run) s.make(to.at, to.bytes, *run);
    }
  }
}

// --- reductions ----------------------------------------------------------------------------------

// Returns the first unset lane of a group of an iteration.
const UnsetRun* in_group(const Spread& s, const Side& side, const Mask& mask, uint32_t r,
                         uint32_t first, uint32_t n) {
  for (uint32_t i = first; i < std::min(first + n, mask.end()); ++i) {
    if (!mask.test(i)) continue;
    const Lane lane = lane_of(side, r, i);
    if (const UnsetRun* run = s.read.find(lane.at, lane.bytes)) return run;
  }
  return nullptr;
}

// Lanes that share one result: 0 = the whole iteration.
uint32_t group_of(const VectorCall& call) {
  switch (call.v.op) {
    case OPK_V_BLOCK_REDUCE_SUM:
    case OPK_V_BLOCK_REDUCE_MAX:
    case OPK_V_BLOCK_REDUCE_MIN: return 8 * kBlockBytes / call.bits(1);
    case OPK_V_PAIR_REDUCE_SUM: return 2;
    default: return 0;
  }
}

// access[0] is the results: those of an iteration are a repeat of it.
void spread_reduction(Spread& s, const VectorCall& call) {
  const uint32_t per_repeat = 8 * kRepeatBytes / call.bits(1), size = call.bits(1) / 8;
  Lanes lanes;
  if (!lanes_of(call, per_repeat, lanes)) return;
  const Side side = side_of(call, 1, per_repeat);
  const Access& to = s.f.access[0];
  const uint32_t group = group_of(call), width = group ? group : per_repeat;
  for (uint32_t r = 0; r < lanes.repeats; ++r) {
    for (uint32_t g = 0; g * width < per_repeat; ++g) {
      const UnsetRun* run = in_group(s, side, lanes.of(r), r, g * width, width);
      const uint8_t* result = to.address + (to.repeats > 1 ? r * to.repeat_pitch : 0);
      if (run) s.make(result + g * size, group ? size : to.block_bytes, *run);
    }
  }
}

// Block k of iteration r is filled with element 8 r + k.
void spread_brcb(Spread& s, const VectorCall& call) {
  const uint64_t size = call.bits(1) / 8;
  for (uint32_t i = 0; i < 8u * call.v.repeat; ++i) {
    const UnsetRun* run = s.read.find(call.address(1) + i * size, size);
    const uint64_t to = uint64_t{i / 8} * call.operand(0).repeat_stride * kBlockBytes +
                        uint64_t{i % 8} * call.operand(0).block_stride * kBlockBytes;
    if (run) s.make(call.address(0) + to, kBlockBytes, *run);
  }
}

// The 16 results of a source block fill one half of a destination block (page "CastDequant"); a
// word per element scales them.
void spread_dequant(Spread& s, const VectorCall& call) {
  constexpr uint32_t kPerBlock = 16, kPerRepeat = 128;
  Lanes lanes;
  if (!lanes_of(call, kPerRepeat, lanes)) return;
  Side dst = side_of(call, 0, kPerRepeat);
  const Side src = side_of(call, 1, kPerRepeat);
  if (call.v.form == OPK_LANES_COUNT) dst.repeat_step = kPerRepeat / kPerBlock * kBlockBytes;
  if (call.v.flags & 1) dst.base += kBlockBytes / 2;
  dst.per_block = kPerBlock;
  for (uint32_t r = 0; r < lanes.repeats; ++r) {
    const Mask& mask = lanes.of(r);
    for (uint32_t i = 0; i < mask.end(); ++i) {
      if (!mask.test(i)) continue;
      const Lane lane = lane_of(src, r, i), to = lane_of(dst, r, i);
      const UnsetRun* run = s.read.find(lane.at, lane.bytes);
      if (!run && (call.v.flags & 2)) run = s.read.find(call.address(2) + i % kPerBlock * 8, 8);
      if (run) s.make(to.at, to.bytes, *run);
    }
  }
}

}  // namespace

void spread_vector(Spread& s) {
  const VectorCall call = call_of(s);
  switch (call.v.op) {
    case OPK_V_CAST_DEQ: return spread_dequant(s, call);
    case OPK_V_BRCB: return spread_brcb(s, call);
    case OPK_V_COMPARE:
    case OPK_V_COMPARE_SCALAR: return spread_compare(s, call);
    case OPK_V_SELECT:
    case OPK_V_SELECT_SCALAR: return spread_select(s, call);
    case OPK_V_REDUCE_SUM:
    case OPK_V_REDUCE_MAX:
    case OPK_V_REDUCE_MIN:
    case OPK_V_WHOLE_REDUCE_SUM:
    case OPK_V_WHOLE_REDUCE_MAX:
    case OPK_V_WHOLE_REDUCE_MIN:
    case OPK_V_BLOCK_REDUCE_SUM:
    case OPK_V_BLOCK_REDUCE_MAX:
    case OPK_V_BLOCK_REDUCE_MIN:
    case OPK_V_PAIR_REDUCE_SUM: return spread_reduction(s, call);
    case OPK_V_GATHER:
    case OPK_V_GATHERB:
    case OPK_V_GATHER_MASK:
    case OPK_V_SORT32:
    case OPK_V_MRG_SORT: return spread_chosen(s);
    case OPK_V_TRANSPOSE: return spread_transpose(s);
    default: return spread_elementwise(s, call);
  }
}

}  // namespace opkit::core::checked
