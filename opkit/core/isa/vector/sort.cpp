// Sort32 and MrgSort on pairs of 8 bytes: the score in bytes 0 to 3 (float) or 0 to 1 (half), the
// index in bytes 4 to 7. (Pages "Sort32", "MrgSort".)
#include <algorithm>
#include <array>
#include <cstring>

#include "opkit/abi/num/half.h"
#include "opkit/core/isa/vector/lanes.h"

namespace opkit::core {
namespace {

constexpr uint32_t kGroup = 32, kPair = 8;

struct SortPair {
  uint8_t bytes[kPair];
};

float score_of(uint32_t dtype, const uint8_t* pair) {
  if (dtype == OPK_FLOAT32) {
    float value;
    std::memcpy(&value, pair, sizeof value);
    return value;
  }
  Half value;
  std::memcpy(&value, pair, sizeof value);
  return value;
}

// Orders scores from the largest down. NaN comes before everything, so that the order is total.
bool before(float a, float b) { return a > b || (a != a && b == b); }

bool is_score(uint32_t dtype) { return dtype == OPK_FLOAT32 || dtype == OPK_FLOAT16; }

void sort_group(const VectorCall& call, uint32_t r) {
  const uint32_t dtype = call.operand(1).dtype, size = dtype_bytes(dtype);
  struct Keyed {
    float key;
    SortPair pair;
  };
  std::array<Keyed, kGroup> group;
  for (uint32_t i = 0; i < kGroup; ++i) {
    const uint8_t* score = call.address(1) + (r * kGroup + i) * size;
    Keyed& k = group[i];
    k.pair = {};
    std::memcpy(k.pair.bytes, score, size);
    std::memcpy(k.pair.bytes + 4, call.address(2) + (r * kGroup + i) * 4, 4);
    k.key = score_of(dtype, score);
  }
  std::stable_sort(group.begin(), group.end(),
                   [](const Keyed& a, const Keyed& b) { return before(a.key, b.key); });
  uint8_t* out = call.address(0) + uint64_t{r} * kGroup * kPair;
  for (uint32_t i = 0; i < kGroup; ++i) std::memcpy(out + i * kPair, group[i].pair.bytes, kPair);
}

// MrgSort: mode = validBit, param[0..3] = pairs per list, flags bit 0 = stop when a list is empty.
struct Merge {
  const VectorCall& call;
  uint32_t lists = 0;
  uint32_t length[4] = {};
  uint64_t total = 0;  // pairs of one iteration
};

// Tells whether repeatTimes counts. (Page "MrgSort", repeatTimes.)
bool may_repeat(const Merge& m) {
  const VectorCall& call = m.call;
  if (m.lists != 4 || (call.v.flags & 1)) return false;
  for (uint32_t i = 1; i < 4; ++i) {
    const uint8_t* next = call.address(i) + uint64_t{m.length[0]} * kPair;
    if (m.length[i] != m.length[0] || call.address(i + 1) != next) return false;
  }
  return true;
}

bool check_merge(Merge& m) {
  const VectorCall& call = m.call;
  const uint8_t valid = call.v.mode;
  m.lists = valid == 3 ? 2 : valid == 7 ? 3 : valid == 15 ? 4 : 0;
  if (m.lists == 0) {
    refuse(call, "EK1210", "validBit " + std::to_string(valid) + " is not 3, 7 or 15",
           "put the lists first to last: 2, 3 or 4 of them");
    return false;
  }
  for (uint32_t i = 0; i < m.lists; ++i) {
    const int32_t length = call.v.param[i];
    if (length < 0 || length > 4095) {
      refuse(call, "EK1210",
             "list " + std::to_string(i) + " has " + std::to_string(length) + " pairs",
             "merge at most 4095 pairs per list");
      return false;
    }
    m.length[i] = static_cast<uint32_t>(length);
    m.total += m.length[i];
  }
  if (call.v.repeat > 1 && !may_repeat(m)) {
    refuse(call, "EK1210",
           "more than one repeat needs four lists of the same length that follow each other, and "
           "ifExhaustedSuspension false",
           "use repeatTimes 1, or four equal lists that follow each other");
    return false;
  }
  return true;
}

// Lists may start at any pair, the destination at a block. (Page "MrgSort".)
bool check_lists(const Merge& m) {
  const uint64_t before_last = uint64_t{m.call.v.repeat - 1u} * m.total;
  for (uint32_t i = 0; i < m.lists; ++i) {
    const uint64_t pairs = m.length[i] ? before_last + m.length[i] : 0;
    if (!check_extent(m.call, 1 + i, pairs * kPair, kPair)) return false;
  }
  return check_extent(m.call, 0, (before_last + m.total) * kPair, kBlockBytes);
}

bool admit_merge(const Merge& m) {
  const VectorCall& call = m.call;
  if (!call.core.observer) return true;
  Footprint footprint = footprint_of(call);
  Access to = run_of(call, 0, call.v.repeat * m.total * kPair, true);
  to.partial = call.v.flags & 1;
  footprint.add(to);
  for (uint32_t i = 0; i < m.lists; ++i) {
    Access from = run_of(call, 1 + i, m.length[i] * kPair, false);
    from.repeats = call.v.repeat;
    from.repeat_pitch = static_cast<int64_t>(m.total * kPair);
    if (m.length[i]) footprint.add(from);
  }
  return call.core.observer->admit(call.core, footprint);
}

// Does one iteration; returns the number of pairs taken from each list.
std::array<uint32_t, 4> merge_lists(const Merge& m, uint32_t r) {
  std::array<uint32_t, 4> taken{};
  const uint64_t shift = uint64_t{r} * m.total * kPair;
  const uint32_t dtype = m.call.operand(1).dtype;
  uint8_t* out = m.call.address(0) + shift;
  for (uint64_t done = 0; done < m.total; ++done, out += kPair) {
    int best = -1;
    float best_score = 0;
    for (uint32_t i = 0; i < m.lists; ++i) {
      if (taken[i] == m.length[i]) continue;
      const float score = score_of(dtype, m.call.address(1 + i) + shift + taken[i] * kPair);
      if (best < 0 || before(score, best_score)) {
        best = static_cast<int>(i);
        best_score = score;
      }
    }
    const auto b = static_cast<uint32_t>(best);
    std::memmove(out, m.call.address(1 + b) + shift + taken[b] * kPair, kPair);
    if (++taken[b] == m.length[b] && (m.call.v.flags & 1)) break;
  }
  return taken;
}

}  // namespace

void run_sort32(const VectorCall& call) {
  if (!is_score(call.operand(1).dtype) || call.operand(0).dtype != call.operand(1).dtype ||
      call.operand(2).dtype != OPK_UINT32) {
    return refuse_dtypes(call);
  }
  const uint32_t repeats = call.v.repeat, size = dtype_bytes(call.operand(1).dtype);
  if (repeats > 255) {
    return refuse(call, "EK1201", "repeatTime " + std::to_string(repeats) + " is above 255",
                  "split the instruction");
  }
  if (repeats == 0) return;
  const uint64_t n = uint64_t{repeats} * kGroup;
  const uint64_t bytes[] = {n * kPair, n * size, n * 4};
  for (unsigned i = 0; i < 3; ++i) {
    if (!check_extent(call, i, bytes[i], kBlockBytes)) return;
  }
  if (call.core.observer) {
    Footprint footprint = footprint_of(call);
    for (unsigned i = 0; i < 3; ++i) footprint.add(run_of(call, i, bytes[i], i == 0));
    if (!call.core.observer->admit(call.core, footprint)) return;
  }
  for (uint32_t r = 0; r < repeats; ++r) sort_group(call, r);
}

void run_mrg_sort(const VectorCall& call) {
  if (!is_score(call.operand(0).dtype)) return refuse_dtypes(call);
  if (call.v.repeat == 0) return;
  Merge m{call};
  if (!check_merge(m) || !check_lists(m) || !admit_merge(m)) return;
  for (uint32_t r = 0; r < call.v.repeat; ++r) {
    const std::array<uint32_t, 4> taken = merge_lists(m, r);
    for (uint32_t i = 0; i < 4; ++i) call.core.merge_counts[i] = static_cast<uint16_t>(taken[i]);
  }
}

}  // namespace opkit::core
