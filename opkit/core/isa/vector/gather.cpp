// Gather, Gatherb, GatherMask. (Pages of those names.)
#include <algorithm>
#include <bit>
#include <cstring>

#include "opkit/core/isa/arch.h"
#include "opkit/core/isa/vector/lanes.h"
#include "opkit/core/rows/rows_gather.h"
#include "opkit/core/state/tolerate.h"

namespace opkit::core {
namespace {

// Offsets count from the source's address; where they end, only the memory says.
[[gnu::cold]] bool judge_behind(const VectorCall& call, uint64_t offset, uint32_t unit) {
  const auto say = [&] {
    Fault fault;
    fault.code = "EK1208";
    fault.message = std::string(call.name()) + ": offset " + std::to_string(offset) +
                    " reaches behind the source of " + std::to_string(call.operand(1).bytes) +
                    " bytes";
    fault.action = "keep base plus offset inside the source tensor";
    fault.pc = call.pc;
    return fault;
  };
  if (lies_in_memory(call.core, call.operand(1), offset + unit))
    return tolerates(call.core, Excess::kGather, say);
  call.core.refuse(say());
  return false;
}

// Offsets of `n` elements: all multiples of `unit`, all inside the source. low, high: what they
// reach.
bool check_offsets(const VectorCall& call, const uint32_t* offsets, uint64_t n, uint64_t base,
                   uint32_t unit, uint64_t& low, uint64_t& high) {
  const OffsetReach reach = reach_of(offsets, n);
  if ((reach.bits | base) % unit != 0) [[unlikely]] {
    refuse(call, "EK1208", "an offset is not a multiple of " + std::to_string(unit) + " bytes",
           "offsets are bytes, not elements: multiply by sizeof(T)");
    return false;
  }
  low = std::min(low, base + reach.least);
  high = std::max(high, base + reach.most + unit);
  return base + reach.most + unit <= call.operand(1).bytes ||
         judge_behind(call, base + reach.most, unit);
}

bool admit_gather(const VectorCall& call, const Side& dst, const Lanes& lanes,
                  uint64_t offset_bytes, uint64_t low, uint64_t high) {
  if (!call.core.observer) return true;
  Footprint footprint = footprint_of(call);
  add_accesses(footprint, call, 0, dst, lanes, true);
  Access from = run_of(call, 1, high - low, false);
  from.address += low;
  from.partial = true;
  footprint.add(from);
  footprint.add(run_of(call, 2, offset_bytes, false));
  return call.core.observer->admit(call.core, footprint);
}

bool takes_effect_later(const VectorCall& call) {
  return call.core.observer && call.core.observer->defers(call.core, call.v);
}

// Offsets that are not there yet may choose any byte of the source.
void leave_for_later(const VectorCall& call, const Side& dst, const Lanes& lanes,
                     uint64_t offset_bytes) {
  admit_gather(call, dst, lanes, offset_bytes, 0, call.operand(1).bytes);
}

void gather_elements(const VectorCall& call, void* dst, const uint32_t* offsets, uint64_t n) {
  gather_row(dst, call.address(1) + static_cast<uint32_t>(call.v.param[0]), offsets, n,
             call.bits(0) / 8);
}

// All iterations together are elements 0 to n - 1, one after the other.
bool is_one_row(const Side& dst, const Lanes& lanes) {
  const bool dense = dst.dense(lanes.per_repeat) && dst.repeat_step == kRepeatBytes;
  const bool full = lanes.repeats == 1 || lanes.mask.end() == lanes.per_repeat;
  return dense && full && lanes.mask.is_prefix() && lanes.last.is_prefix();
}

// Tells whether what is written lies where nothing is read.
bool is_apart(const VectorCall& call, const Side& dst, uint64_t n, uint64_t low, uint64_t high) {
  const auto apart = [&](const uint8_t* from, uint64_t bytes) {
    return from + bytes <= dst.base || dst.base + dst.bytes(n) <= from;
  };
  return apart(call.address(1) + low, high - low) && apart(call.address(2), n * 4);
}

bool is_word(const VectorCall& call) {
  const uint32_t bits = call.bits(0);
  return (bits == 16 || bits == 32) && call.operand(1).dtype == call.operand(0).dtype;
}

bool check_offset_type(const VectorCall& call) {
  if (call.operand(2).dtype == OPK_UINT32) return true;
  refuse(call, "EK1202",
         std::string("offsets of ") + dtype_name(call.operand(2).dtype) + " do not exist",
         "use uint32_t offsets");
  return false;
}

}  // namespace

// dst[i] = the element at byte base + offset[i] of src; param[0] = base.
void run_gather(const VectorCall& call) {
  if (!is_word(call)) return refuse_dtypes(call);
  if (!check_offset_type(call)) return;
  const uint32_t per_repeat = 8 * kRepeatBytes / call.bits(0), size = call.bits(0) / 8;
  Lanes lanes;
  if (!lanes_of(call, per_repeat, lanes) || lanes.repeats == 0) return;
  const Side dst = side_of(call, 0, per_repeat);
  const uint64_t n = uint64_t{lanes.repeats - 1} * per_repeat + lanes.last.end();
  if (!check_extent(call, 0, dst.extent(lanes), kBlockBytes)) return;
  if (!check_extent(call, 2, n * 4, kBlockBytes) || !check_extent(call, 1, 0, kBlockBytes)) return;
  if (takes_effect_later(call)) return leave_for_later(call, dst, lanes, n * 4);
  const auto* offsets = reinterpret_cast<const uint32_t*>(call.address(2));
  const auto base = static_cast<uint32_t>(call.v.param[0]);
  uint64_t low = ~uint64_t{0}, high = 0;
  const bool one_row = n > 0 && is_one_row(dst, lanes);
  if (one_row && !check_offsets(call, offsets, n, base, size, low, high)) return;
  for (uint32_t r = 0; r < lanes.repeats && !one_row; ++r) {
    bool ok = true;
    for_each_run_of(lanes.of(r), [&](uint32_t first, uint32_t count) {
      ok = ok && check_offsets(call, offsets + uint64_t{r} * per_repeat + first, count, base, size,
                               low, high);
    });
    if (!ok) return;
  }
  if (!admit_gather(call, dst, lanes, n * 4, low, high)) return;
  if (one_row && is_apart(call, dst, n, low, high))
    return gather_elements(call, dst.base, offsets, n);
  for (uint32_t r = 0; r < lanes.repeats; ++r) {
    alignas(64) uint8_t row[kRepeatBytes];
    for_each_run_of(lanes.of(r), [&](uint32_t first, uint32_t count) {
      gather_elements(call, row + first * size, offsets + uint64_t{r} * per_repeat + first, count);
    });
    scatter_repeat(dst, r, lanes.of(r), row);
  }
}

// Block b of iteration r = the 32 bytes at offset[8r+b] of src.
void run_gatherb(const VectorCall& call) {
  if (!is_word(call)) return refuse_dtypes(call);
  if (!check_offset_type(call)) return;
  if (call.v.repeat == 0) return;
  if (call.v.repeat > 255) {
    return refuse(call, "EK1201", "repeatTime " + std::to_string(call.v.repeat) + " is above 255",
                  "split the instruction");
  }
  Lanes lanes;
  lanes.repeats = call.v.repeat;
  lanes.per_repeat = 8 * kRepeatBytes / call.bits(0);
  lanes.mask = lanes.last = Mask::first(lanes.per_repeat);
  const Side dst = side_of(call, 0, lanes.per_repeat);
  const uint64_t n = 8 * uint64_t{lanes.repeats};
  if (!check_extent(call, 0, dst.extent(lanes), kBlockBytes)) return;
  if (!check_extent(call, 2, n * 4, kBlockBytes) || !check_extent(call, 1, 0, kBlockBytes)) return;
  if (takes_effect_later(call)) return leave_for_later(call, dst, lanes, n * 4);
  const auto* offsets = reinterpret_cast<const uint32_t*>(call.address(2));
  uint64_t low = ~uint64_t{0}, high = 0;
  if (!check_offsets(call, offsets, n, 0, kBlockBytes, low, high)) return;
  if (!admit_gather(call, dst, lanes, n * 4, low, high)) return;
  for (uint64_t i = 0; i < n; ++i) {
    std::memmove(dst.at(static_cast<uint32_t>(i / 8)) + i % 8 * dst.block_step,
                 call.address(1) + offsets[i], kBlockBytes);
  }
}

namespace {

// One GatherMask. mode = pattern, 0 = user bits (operand 2); flags bit 0 = reduceMode; count =
// mask: the elements of an iteration, or of all where the chip counts so (page "GatherMask",
// configurations 1 and 2).
struct Packing {
  const VectorCall& call;
  Side src;
  uint32_t per_iteration;
  uint32_t repeats;
  uint32_t last = 0;  // elements of the last iteration
  const uint8_t* bits = nullptr;
  uint64_t bit_step = 0;  // bytes from iteration to iteration
  uint64_t kept = 0;

  uint32_t length(uint32_t r) const { return r + 1 == repeats ? last : per_iteration; }
  bool keeps(uint32_t r, uint32_t i) const { return bits[r * bit_step + i / 8] >> i % 8 & 1; }
  // Patterns without bits keep one element of so many, from the first on.
  uint32_t step() const { return call.v.mode == 7 ? 1 : call.v.mode <= 2 ? 2 : 4; }
  uint32_t first() const {
    return call.v.mode == 7 ? 0 : call.v.mode - (call.v.mode <= 2 ? 1u : 3u);
  }
  uint64_t kept_in(uint32_t r) const {
    const uint32_t n = length(r);
    if (call.v.mode != 0) return n <= first() ? 0 : (n - first() - 1) / step() + 1;
    const uint8_t* row = bits + r * bit_step;
    uint64_t count = 0;
    for (uint32_t byte = 0; byte < n / 8; ++byte)
      count += static_cast<uint64_t>(std::popcount(row[byte]));
    for (uint32_t i = n / 8 * 8; i < n; ++i) count += keeps(r, i);
    return count;
  }
};

// Returns the bytes of the source to the end of iteration r.
uint64_t source_end(const Packing& p, uint32_t r) {
  const uint32_t n = p.length(r);
  const uint64_t blocks = (n + p.src.per_block - 1) / p.src.per_block;
  const uint64_t rest = (n - 1) % p.src.per_block + 1;
  return uint64_t{r} * p.src.repeat_step + (blocks - 1) * p.src.block_step +
         (p.src.block_step ? p.src.bytes(rest) : kBlockBytes);
}

bool check_packing(Packing& p) {
  const VectorCall& call = p.call;
  if (call.v.mode > 7) {
    refuse(call, "EK1209", "pattern " + std::to_string(call.v.mode) + " does not exist",
           "use patterns 1 to 7, or a tensor of bits");
    return false;
  }
  const uint64_t end =
      std::max(source_end(p, p.repeats > 1 ? p.repeats - 2 : 0), source_end(p, p.repeats - 1));
  if (!check_extent(call, 1, end, kBlockBytes)) return false;
  if (call.v.mode == 0) {
    const auto bit_end = [&](uint32_t r) { return r * p.bit_step + (p.length(r) + 7) / 8; };
    const uint64_t bytes =
        std::max(bit_end(p.repeats > 1 ? p.repeats - 2 : 0), bit_end(p.repeats - 1));
    if (!check_extent(call, 2, bytes, kBlockBytes)) return false;
  }
  for (uint32_t r = 0; r < p.repeats; ++r) p.kept += p.kept_in(r);
  return check_extent(call, 0, p.src.bytes(p.kept), kBlockBytes);
}

// Adds to the footprint what `repeats` iterations of n elements read, from iteration `first` on.
void add_packed(Footprint& footprint, const Packing& p, uint32_t first, uint32_t repeats,
                uint32_t n) {
  if (repeats == 0) return;
  const VectorCall& call = p.call;
  Access from = run_of(call, 1, kBlockBytes, false);
  from.address += uint64_t{first} * p.src.repeat_step;
  from.blocks = (n + p.src.per_block - 1) / p.src.per_block;
  from.block_pitch = p.src.block_step;
  from.repeats = repeats;
  from.repeat_pitch = p.src.repeat_step;
  from.partial = call.v.mode != 7 || n % p.src.per_block != 0;
  footprint.add(from);
  if (call.v.mode != 0) return;
  Access bits = run_of(call, 2, (n + 7) / 8, false);
  bits.address += first * p.bit_step;
  bits.repeats = repeats;
  bits.repeat_pitch = static_cast<int64_t>(p.bit_step);
  footprint.add(bits);
}

bool admit_packing(const Packing& p) {
  const VectorCall& call = p.call;
  if (!call.core.observer) return true;
  Footprint footprint = footprint_of(call);
  if (p.kept) footprint.add(run_of(call, 0, p.src.bytes(p.kept), true));
  const uint32_t whole = p.repeats - (p.last == p.per_iteration ? 0 : 1);
  add_packed(footprint, p, 0, whole, p.per_iteration);
  add_packed(footprint, p, whole, p.repeats - whole, p.last);
  return call.core.observer->admit(call.core, footprint);
}

// Element by element: source and destination may overlap.
template <typename Word>
void pack(const Packing& p) {
  constexpr uint32_t kPerBlock = kBlockBytes / sizeof(Word);
  uint8_t* out = p.call.address(0);
  const bool by_bits = p.call.v.mode == 0;
  const uint32_t first = by_bits ? 0 : p.first(), step = by_bits ? 1 : p.step();
  for (uint32_t r = 0; r < p.repeats; ++r) {
    const uint8_t* in = p.src.at(r);
    for (uint32_t i = first; i < p.length(r); i += step) {
      if (by_bits && !p.keeps(r, i)) continue;
      Word word;
      std::memcpy(&word,
                  in + uint64_t{i / kPerBlock} * p.src.block_step + i % kPerBlock * sizeof(Word),
                  sizeof word);
      std::memcpy(out, &word, sizeof word);
      out += sizeof word;
    }
  }
}

}  // namespace

void run_gather_mask(const VectorCall& call) {
  if (!is_word(call)) return refuse_dtypes(call);
  if (call.v.mode == 0 && call.v.operand_count < 3) {
    return refuse(call, "EK1209", "pattern 0 does not exist",
                  "use patterns 1 to 7, or a tensor of bits");
  }
  takes_effect_later(call);  // no: what it keeps is a register's
  const uint32_t full = 8 * kRepeatBytes / call.bits(0);
  const bool counts = call.v.flags & 1;
  Packing p{call, side_of(call, 1, full), counts ? call.v.count : full, call.v.repeat};
  p.last = p.per_iteration;
  if (counts && call.v.count != 0 && !arch_can(call.core, OPK_A_GATHER_MASK_REPEATS)) {
    p.per_iteration = full;
    p.repeats = (call.v.count - 1) / full + 1;
    p.last = (call.v.count - 1) % full + 1;
  }
  p.src.block_step = call.operand(1).block_stride * kBlockBytes;
  p.src.repeat_step = call.operand(1).repeat_stride * kBlockBytes;
  if (call.v.operand_count > 2) {
    p.bits = call.address(2);
    p.bit_step = uint64_t{call.operand(2).repeat_stride} * kBlockBytes;
  }
  if (p.repeats != 0 && p.per_iteration != 0) {
    if (!check_packing(p) || !admit_packing(p)) return;
    p.src.bits == 16 ? pack<uint16_t>(p) : pack<uint32_t>(p);
  }
  call.core.gather_mask_count = p.kept;
  if (call.v.result) *call.v.result = p.kept;
  call.core.mask_mode = 0;
}

}  // namespace opkit::core
