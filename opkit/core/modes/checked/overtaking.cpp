#include "opkit/core/modes/checked/overtaking.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "opkit/core/isa/vector/call.h"
#include "opkit/core/modes/checked/shadow.h"

namespace opkit::core::checked {
namespace {

uint64_t bytes_of(const Access& a) { return uint64_t{a.block_bytes} * a.blocks; }

bool lie_alike(const Access& a, const Access& b) {
  return a.address == b.address && a.block_bytes == b.block_bytes && a.blocks == b.blocks &&
         a.block_pitch == b.block_pitch && a.repeats == b.repeats &&
         a.repeat_pitch == b.repeat_pitch;
}

// Tells whether each iteration accesses memory behind that of the one before.
bool moves_on(const Access& a) {
  Access first = a;
  first.repeats = 1;
  return a.repeats <= 1 || a.repeat_pitch >= end_of(first) - a.address;
}

uint32_t iterations_of(const Access& dst, const Access& src) {
  const uint32_t repeats = std::max(dst.repeats, src.repeats);
  if (repeats > 1) return repeats;
  if (!is_one_run(dst) || !is_one_run(src)) return 1;
  const uint64_t bytes = is_vague(src) ? bytes_of(dst) : std::max(bytes_of(dst), bytes_of(src));
  return static_cast<uint32_t>((bytes + kRepeatBytes - 1) / kRepeatBytes);
}

// Calls f(address, bytes) for what iteration r takes. A run without iterations of its own is shared
// out evenly; of what is chosen by data, every iteration may take every byte.
template <typename F>
void for_each_run_of(const Access& a, uint32_t r, uint32_t iterations, F&& f) {
  if (is_vague(a)) return for_each_run(a, f);
  Access one = a;
  one.repeats = 1;
  if (a.repeats == iterations) {
    one.address += r * a.repeat_pitch;
    return for_each_run(one, f);
  }
  if (a.repeats > 1) {
    one.address += r * a.repeat_pitch;
    return r < a.repeats ? for_each_run(one, f) : void();
  }
  const uint64_t bytes = bytes_of(a), begin = bytes * r / iterations;
  const uint64_t end = bytes * (r + 1) / iterations;
  if (begin < end) f(a.address + begin, end - begin);
}

bool accumulates(const Footprint& f, const Access& dst) {
  const auto& call = *static_cast<const opk_vector_v1*>(f.instruction);
  switch (call.op) {
    case OPK_V_ADD:
    case OPK_V_SUB:
    case OPK_V_MUL:
    case OPK_V_MAX:
    case OPK_V_MIN: return true;
    default: break;
  }
  // Looks for the destination among the sources: an instruction that only accumulates into it names
  // it once.
  return std::none_of(call.operand + 1, call.operand + call.operand_count,
                      [&](const opk_operand& o) { return o.address == dst.address; });
}

// Where iterations write, byte by byte from the destination's start on.
class WrittenBytes {
 public:
  explicit WrittenBytes(const Access& dst)
      : base_(dst.address), marks_(static_cast<size_t>(end_of(dst) - dst.address)) {}

  bool meet(const uint8_t* address, uint64_t bytes) const {
    const auto [from, to] = inside(address, bytes);
    return from < to && std::memchr(marks_.data() + from, 1, static_cast<size_t>(to - from));
  }
  void mark(const uint8_t* address, uint64_t bytes) {
    const auto [from, to] = inside(address, bytes);
    if (from < to) std::memset(marks_.data() + from, 1, static_cast<size_t>(to - from));
  }

 private:
  std::pair<int64_t, int64_t> inside(const uint8_t* address, uint64_t bytes) const {
    const int64_t from = address - base_, to = from + static_cast<int64_t>(bytes);
    return {std::max<int64_t>(from, 0), std::min(to, static_cast<int64_t>(marks_.size()))};
  }

  const uint8_t* base_;
  std::vector<uint8_t> marks_;
};

// GatherMask puts what it keeps one behind the other: never behind where it reads, if it begins
// there at the latest.
bool packs(const Footprint& f, const Access& dst, const Access& src) {
  const auto& call = *static_cast<const opk_vector_v1*>(f.instruction);
  return call.op == OPK_V_GATHER_MASK && src.address == call.operand[1].address &&
         dst.address <= src.address && moves_on(src);
}

}  // namespace

bool overtakes(const Footprint& f, const Access& dst, const Access& src) {
  if (is_vague(dst) || packs(f, dst, src)) return false;
  if (lie_alike(dst, src) && (is_one_run(dst) || moves_on(dst) || accumulates(f, dst)))
    return is_vague(src) && iterations_of(dst, src) > 1;
  const uint32_t iterations = iterations_of(dst, src);
  if (iterations <= 1) return false;
  WrittenBytes written(dst);
  for (uint32_t r = 0; r < iterations; ++r) {
    bool met = false;
    for_each_run_of(src, r, iterations, [&](const uint8_t* address, uint64_t bytes) {
      met = met || written.meet(address, bytes);
    });
    if (met) return true;
    for_each_run_of(dst, r, iterations,
                    [&](const uint8_t* address, uint64_t bytes) { written.mark(address, bytes); });
  }
  return false;
}

}  // namespace opkit::core::checked
