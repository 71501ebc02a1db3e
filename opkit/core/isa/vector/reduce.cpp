// Reductions of an operand (ReduceSum, ReduceMax, ReduceMin) and of each iteration (WholeReduce...,
// BlockReduce..., PairReduceSum). Order of summation: a tree of neighbours inside an iteration,
// elements that are masked off take no part; ReduceSum with a count then adds the iterations in
// order where the architecture does (sum_in_order), the mask form and other architectures sum them
// by a tree again. (Pages "ReduceSum", "ReduceRepeat", "ReduceDataBlock", "ReducePairElem",
// "GetAccVal".)
#include <algorithm>
#include <cstring>
#include <limits>

#include "opkit/core/isa/arch.h"
#include "opkit/core/isa/vector/lanes.h"
#include "opkit/core/isa/vector/reduce_work.h"
#include "opkit/core/rows/rows_reduce.h"

namespace opkit::core {
namespace {

constexpr float kAbsent = -0.0f;  // x + -0 = x for every x

struct Reduction {
  const VectorCall& call;
  Lanes lanes;
  Side src;
  uint32_t dtype;
  uint32_t size;  // bytes per element
  bool saturate;
};

uint32_t levels_of(uint32_t n) {
  return n <= 1 ? 0 : 32 - static_cast<uint32_t>(__builtin_clz(n - 1));
}

bool is_real(uint32_t dtype) { return dtype == OPK_FLOAT16 || dtype == OPK_FLOAT32; }

float round_sum(const Reduction& red, float sum) {
  float values[kFoldRoom] = {sum, kAbsent};
  fold_sums(red.dtype, values, 2, 1, red.saturate);
  return values[0];
}

// The elements of iteration r in float, what takes no part replaced by -0.
void load_repeat(const Reduction& red, uint32_t r, float* values) {
  alignas(64) uint8_t room[kRepeatBytes];
  const Mask& mask = red.lanes.of(r);
  const uint32_t n = mask.end();
  load_floats(red.dtype, gather_repeat(red.src, r, n, room), n, values);
  for (uint32_t i = 0; !mask.is_prefix() && i < n; ++i) {
    if (!mask.test(i)) values[i] = kAbsent;
  }
  std::fill(values + n, values + kFoldRoom, kAbsent);
}

float sum_of_repeat(const Reduction& red, uint32_t r) {
  if (red.dtype == OPK_FLOAT32 && red.src.dense(64) && red.lanes.of(r).is_full(64)) {
    return sum_of_64(reinterpret_cast<const float*>(red.src.at(r)));
  }
  float values[kFoldRoom];
  load_repeat(red, r, values);
  fold_sums(red.dtype, values, red.lanes.per_repeat, levels_of(red.lanes.per_repeat), red.saturate);
  return values[0];
}

// Returns the first extreme of the elements of iteration r that take part, in [first, first + n).
Extreme extreme_of(const Reduction& red, uint32_t r, uint32_t first, uint32_t n, bool largest) {
  alignas(64) uint8_t room[kRepeatBytes];
  const Mask& mask = red.lanes.of(r);
  const uint32_t end = std::min(mask.end(), first + n);
  Extreme found;
  if (end <= first) return found;
  float values[kFoldRoom];
  load_floats(red.dtype, gather_repeat(red.src, r, end, room), end, values);
  if (mask.is_prefix()) {
    const uint32_t at = first_extreme(values + first, end - first, largest);
    return {values[first + at], first + at, true};
  }
  for (uint32_t i = first; i < end; ++i) {
    if (mask.test(i)) found.offer(values[i], i, largest);
  }
  return found;
}

void put(const Reduction& red, uint64_t element, uint64_t bits) {
  std::memcpy(red.call.address(0) + element * red.size, &bits, red.size);
}

bool prepare(Reduction& red) {
  const VectorCall& call = red.call;
  red.dtype = call.operand(1).dtype;
  if (!is_real(red.dtype) || call.operand(0).dtype != red.dtype) return refuse_dtypes(call), false;
  red.size = dtype_bytes(red.dtype);
  red.saturate = call.saturates() && red.dtype == OPK_FLOAT16;
  const uint32_t per_repeat = kRepeatBytes / red.size;
  if (!lanes_of(call, per_repeat, red.lanes) || red.lanes.repeats == 0) return false;
  red.src = side_of(call, 1, per_repeat);
  const uint64_t extent = red.src.extent(red.lanes);
  if (!check_extent(call, 1, extent, kBlockBytes)) return false;
  if (call.core.observer) return call.core.put_off.settle(), true;
  // It may still lie in GM (see PutOff).
  red.src.base = const_cast<uint8_t*>(call.core.put_off.source_now(call.address(1), extent));
  return true;
}

bool admit(const Reduction& red, const Access& written, const ReduceWork* work = nullptr) {
  const VectorCall& call = red.call;
  if (!call.core.observer) return true;
  Footprint footprint = footprint_of(call);
  footprint.add(written);
  if (work) work->add_to(footprint, call);
  add_accesses(footprint, call, 1, red.src, red.lanes, false);
  return call.core.observer->admit(call.core, footprint);
}

// Iterations in order, in an accumulator of the element type.
float sum_in_order(const Reduction& red) {
  float sum = sum_of_repeat(red, 0);
  for (uint32_t r = 1; r < red.lanes.repeats; ++r) {
    sum += sum_of_repeat(red, r);
    if (red.dtype == OPK_FLOAT16) sum = round_sum(red, sum);
  }
  return sum;
}

// Returns the sum of at most one iteration's width of values, by a tree.
template <typename Value>
float fold(const Reduction& red, uint32_t count, Value&& value) {
  const uint32_t width = red.lanes.per_repeat;
  float part[kFoldRoom];
  std::fill(part, part + kFoldRoom, kAbsent);
  for (uint32_t i = 0; i < count; ++i) part[i] = value(i);
  fold_sums(red.dtype, part, width, levels_of(width), red.saturate);
  return part[0];
}

// Iterations by trees of one iteration's width, each round of which takes the place of the one
// before in the work tensor.
float sum_by_tree(const Reduction& red, const ReduceWork& work) {
  const uint32_t width = red.lanes.per_repeat;
  float sums[kMostReduced / 64 + 1];
  uint32_t n = red.lanes.repeats, groups = (n + width - 1) / width;
  for (uint32_t g = 0; g < groups; ++g) {
    const uint32_t first = g * width;
    sums[g] = fold(red, std::min(width, n - first), [&](uint32_t i) {
      const float sum = sum_of_repeat(red, first + i);
      work.keep_sum(first + i, sum);
      return sum;
    });
  }
  for (n = groups; n > 1; n = groups) {
    for (uint32_t i = 0; i < n; ++i) work.keep_sum(i, sums[i]);
    groups = (n + width - 1) / width;
    for (uint32_t g = 0; g < groups; ++g) {
      const uint32_t first = g * width;
      sums[g] = fold(red, std::min(width, n - first), [&](uint32_t i) { return sums[first + i]; });
    }
  }
  return sums[0];
}

// Finds the extreme; its index counts from the start of the source, at strides of iterations.
Extreme extreme_of_all(const Reduction& red, const ReduceWork& work, bool largest) {
  Extreme best;
  const uint64_t step = red.src.repeat_step / red.size;
  for (uint32_t r = 0; r < red.lanes.repeats; ++r) {
    const Extreme f = extreme_of(red, r, 0, red.lanes.per_repeat, largest);
    if (f.any) best.offer(f.value, r * step + f.index, largest);
    work.keep(r, f);
  }
  work.find_in_turn(largest);
  return best;
}

enum Flag : uint8_t { kIndexWanted = 1, kByCount = 2 };

// The form with a count, wherever the count comes from.
bool is_counted(const VectorCall& call) {
  return call.v.form == OPK_LANES_COUNT || (call.v.flags & kByCount) != 0;
}

bool adds_in_order(const VectorCall& call) {
  return is_counted(call) && arch_can(call.core, OPK_A_SUM_IN_ORDER);
}

ReduceWork::Holds held_by(const VectorCall& call) {
  using Holds = ReduceWork::Holds;
  if (call.v.op == OPK_V_REDUCE_SUM) return adds_in_order(call) ? Holds::kNothing : Holds::kSums;
  return call.v.flags & kIndexWanted ? Holds::kExtremesInRounds : Holds::kExtremes;
}

// Counts whole iterations where a call is told a number of elements, as the pages do.
ReduceWork work_of(const Reduction& red) {
  const uint32_t width = red.lanes.per_repeat;
  const bool tail = is_counted(red.call) && !red.lanes.last.is_full(width);
  const uint32_t all = red.lanes.repeats;
  return ReduceWork(red.call, held_by(red.call), width, all - (tail ? 1 : 0), all);
}

// Counter mode may ask for more iterations than sum_by_tree has room for.
bool few_enough(const Reduction& red) {
  if (red.lanes.repeats <= kMostReduced || held_by(red.call) != ReduceWork::Holds::kSums)
    return true;
  refuse(
      red.call, "EK1201",
      std::to_string(red.lanes.repeats) + " iterations are above " + std::to_string(kMostReduced),
      "split the instruction, or use the form that takes an element count");
  return false;
}

// Tells whether the results fit the destination's `bytes` bytes, and the rest the work tensor.
bool has_room(const Reduction& red, uint64_t bytes, uint32_t alignment, const ReduceWork& work) {
  const VectorCall& call = red.call;
  if (!check_extent(call, 0, bytes, alignment)) return false;
  if (work.bytes() > 0 && !check_extent(call, 2, work.bytes(), kBlockBytes)) return false;
  call.core.put_off.about_to_change(call.address(0), bytes);
  if (work.bytes() > 0) call.core.put_off.about_to_change(call.address(2), work.bytes());
  return true;
}

// An extreme and its place are one result of the chip's, also where the place is not wanted.
uint32_t alignment_of(const Reduction& red) {
  return red.size * (red.call.v.op == OPK_V_REDUCE_SUM ? 1 : 2);
}

// Where iteration r's result goes: param[0] = distance in units of the result.
Access results(const Reduction& red, uint64_t unit_bytes, uint64_t bytes) {
  Access access = run_of(red.call, 0, bytes, true);
  access.repeats = red.lanes.repeats;
  access.repeat_pitch = static_cast<int64_t>(red.call.v.param[0] * unit_bytes);
  return access;
}

// Tells whether results of groups that are masked off keep what was there. (Pages
// "ReduceDataBlock", "ReducePairElem".)
bool groups_stay(const Reduction& red) { return arch_can(red.call.core, OPK_A_MASKED_GROUPS_STAY); }
// Returns what a masked group gives elsewhere: it adds nothing to a sum, every element exceeds it.
float result_of_none(const Reduction& red, uint16_t op) {
  const float most = red.dtype == OPK_FLOAT16 ? 65504.0f : std::numeric_limits<float>::infinity();
  return op == OPK_V_BLOCK_REDUCE_MAX ? -most : op == OPK_V_BLOCK_REDUCE_MIN ? most : 0.0f;
}

// Results of groups of `group` elements each.
Access group_results(const Reduction& red, uint64_t unit_bytes, uint32_t group) {
  if (!groups_stay(red)) return results(red, unit_bytes, red.lanes.per_repeat / group * red.size);
  const Mask &mask = red.lanes.mask, &last = red.lanes.last;
  const uint32_t end = std::max(red.lanes.repeats > 1 ? mask.end() : 0, last.end());
  Access access = results(red, unit_bytes, (end + group - 1) / group * red.size);
  access.partial = !last.is_prefix() || (red.lanes.repeats > 1 && mask.end() != last.end());
  return access;
}

bool check_results(const Reduction& red, const Access& access, uint32_t alignment) {
  const uint64_t bytes =
      static_cast<uint64_t>(access.repeat_pitch) * (access.repeats - 1) + access.block_bytes;
  if (!check_extent(red.call, 0, bytes, alignment)) return false;
  red.call.core.put_off.about_to_change(red.call.address(0), bytes);
  return true;
}

void keep(const Reduction& red, float value, uint64_t index) {
  red.call.core.reduce_value = bits_of(red.dtype, value);
  red.call.core.reduce_index = index;
}

enum Order : uint8_t { kValueIndex = 0, kIndexValue = 1, kOnlyValue = 2, kOnlyIndex = 3 };

// An index alone is a uint32_t whatever the element is. (Page "ReduceRepeat", table 3.)
uint32_t result_bytes(const Reduction& red) {
  switch (red.call.v.mode) {
    case kOnlyIndex: return sizeof(uint32_t);
    case kOnlyValue: return red.size;
    default: return 2 * red.size;
  }
}

void put_found(const Reduction& red, uint32_t r, const Extreme& f) {
  const uint64_t value = bits_of(red.dtype, f.value);
  const uint64_t at = uint64_t{r} * static_cast<uint64_t>(red.call.v.param[0]);
  switch (red.call.v.mode) {
    case kValueIndex: put(red, 2 * at, value); return put(red, 2 * at + 1, f.index);
    case kIndexValue: put(red, 2 * at, f.index); return put(red, 2 * at + 1, value);
    case kOnlyValue: return put(red, at, value);
    default: {
      const auto index = static_cast<uint32_t>(f.index);
      std::memcpy(red.call.address(0) + at * sizeof index, &index, sizeof index);
    }
  }
}

void whole_extreme(const Reduction& red, bool largest) {
  const VectorCall& call = red.call;
  if (call.v.mode > kOnlyIndex) {
    return refuse(call, "EK1211", "ReduceOrder " + std::to_string(call.v.mode) + " does not exist",
                  "use ORDER_VALUE_INDEX, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE or ORDER_ONLY_INDEX");
  }
  const uint32_t bytes = result_bytes(red);
  const Access written = results(red, bytes, bytes);
  if (!check_results(red, written, bytes) || !admit(red, written)) return;
  const uint64_t step = red.src.repeat_step / red.size;
  Extreme best;  // covers all iterations for the registers (page "GetReduceRepeatMaxMinSpr")
  for (uint32_t r = 0; r < red.lanes.repeats; ++r) {
    const Extreme f = extreme_of(red, r, 0, red.lanes.per_repeat, largest);
    put_found(red, r, f);
    if (f.any) best.offer(f.value, r * step + f.index, largest);
  }
  keep(red, best.value, best.index);
}

void whole_sum(const Reduction& red) {
  const Access written = results(red, red.size, red.size);
  if (!check_results(red, written, red.size) || !admit(red, written)) return;
  for (uint32_t r = 0; r < red.lanes.repeats; ++r) {
    const float sum = sum_of_repeat(red, r);
    put(red, uint64_t{r} * static_cast<uint64_t>(red.call.v.param[0]), bits_of(red.dtype, sum));
    keep(red, sum, 0);
  }
}

// Eight results per iteration, one per block.
void block_reduce(const Reduction& red, uint16_t op) {
  const uint32_t per_block = kBlockBytes / red.size;
  const Access written = group_results(red, 8 * red.size, per_block);
  if (!check_results(red, written, 8 * red.size) || !admit(red, written)) return;
  for (uint32_t r = 0; r < red.lanes.repeats; ++r) {
    float sums[kFoldRoom];
    if (op == OPK_V_BLOCK_REDUCE_SUM) {
      load_repeat(red, r, sums);
      fold_sums(red.dtype, sums, red.lanes.per_repeat, levels_of(per_block), red.saturate);
    }
    for (uint32_t b = 0; b < 8; ++b) {
      const bool any = red.lanes.of(r).any_in(b * per_block, per_block);
      if (!any && groups_stay(red)) continue;
      const float value =
          !any ? result_of_none(red, op)
          : op == OPK_V_BLOCK_REDUCE_SUM
              ? sums[b]
              : extreme_of(red, r, b * per_block, per_block, op == OPK_V_BLOCK_REDUCE_MAX).value;
      put(red, uint64_t{r} * static_cast<uint64_t>(red.call.v.param[0]) * 8 + b,
          bits_of(red.dtype, value));
    }
  }
}

void pair_sum(const Reduction& red) {
  const uint32_t pairs = red.lanes.per_repeat / 2;
  const Access written = group_results(red, 128, 2);
  if (!check_results(red, written, kBlockBytes) || !admit(red, written)) return;
  for (uint32_t r = 0; r < red.lanes.repeats; ++r) {
    float sums[kFoldRoom];
    load_repeat(red, r, sums);
    fold_sums(red.dtype, sums, red.lanes.per_repeat, 1, red.saturate);
    const uint64_t at = uint64_t{r} * static_cast<uint64_t>(red.call.v.param[0]) * (128 / red.size);
    for (uint32_t i = 0; i < pairs; ++i) {
      const bool any = red.lanes.of(r).any_in(2 * i, 2);
      if (any || !groups_stay(red)) put(red, at + i, bits_of(red.dtype, any ? sums[i] : 0.0f));
    }
  }
}

}  // namespace

// flags bit 0: the index of the extreme is wanted in dst[1]; bit 1: the form with a count, which
// the mask register holds.
void run_reduce(const VectorCall& call) {
  Reduction red{call, {}, {}, 0, 0, false};
  if (!prepare(red) || !few_enough(red)) return;
  const bool sum = call.v.op == OPK_V_REDUCE_SUM, index = call.v.flags & kIndexWanted;
  const uint64_t bytes = red.size * (index ? 2 : 1);
  const ReduceWork work = work_of(red);
  if (!has_room(red, bytes, alignment_of(red), work)) return;
  if (!admit(red, run_of(call, 0, bytes, true), &work)) return;
  if (sum) {
    const float value = adds_in_order(call) ? sum_in_order(red) : sum_by_tree(red, work);
    put(red, 0, bits_of(red.dtype, value));
    return keep(red, value, 0);
  }
  const Extreme f = extreme_of_all(red, work, call.v.op == OPK_V_REDUCE_MAX);
  put(red, 0, bits_of(red.dtype, f.value));
  if (index) put(red, 1, f.index);
  keep(red, f.value, f.index);
}

void run_repeat_reduce(const VectorCall& call) {
  Reduction red{call, {}, {}, 0, 0, false};
  if (!prepare(red)) return;
  switch (call.v.op) {
    case OPK_V_WHOLE_REDUCE_SUM: return whole_sum(red);
    case OPK_V_WHOLE_REDUCE_MAX: return whole_extreme(red, true);
    case OPK_V_WHOLE_REDUCE_MIN: return whole_extreme(red, false);
    case OPK_V_PAIR_REDUCE_SUM: return pair_sum(red);
    default: return block_reduce(red, call.v.op);
  }
}

}  // namespace opkit::core
