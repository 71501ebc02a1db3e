// Source and destination may coincide exactly; partial overlap inside one iteration, and an
// iteration that reads what an earlier one wrote, are undefined (pages on the vector instructions,
// "address overlap").
#include <algorithm>

#include "opkit/core/isa/operand.h"
#include "opkit/core/isa/vector/call.h"
#include "opkit/core/modes/checked/accesses.h"
#include "opkit/core/modes/checked/operands.h"
#include "opkit/core/modes/checked/overtaking.h"
#include "opkit/core/modes/checked/shadow.h"

namespace opkit::core::checked {
namespace {

// A contiguous destination that starts behind its source clobbers what later iterations read; one
// that starts before it is read ahead of, except within one iteration.
bool clash_contiguous(const Access& dst, const Access& src) {
  const int64_t n = int64_t{dst.block_bytes} * dst.blocks;
  const int64_t m = int64_t{src.block_bytes} * src.blocks;
  const int64_t ahead = dst.address - src.address;  // > 0: the destination starts later
  if (ahead >= m || -ahead >= n) return false;
  return ahead > 0 || -ahead < int64_t{kRepeatBytes};
}

bool clash_in_repeat(const Access& dst, const Access& src, uint32_t r) {
  const uint8_t* d = dst.address + r * dst.repeat_pitch;
  const uint8_t* s = src.address + r * src.repeat_pitch;
  if (d == s) return false;
  for (uint32_t i = 0; i < dst.blocks; ++i) {
    for (uint32_t k = 0; k < src.blocks; ++k) {
      const uint8_t* a = d + i * dst.block_pitch;
      const uint8_t* b = s + k * src.block_pitch;
      if (a < b + src.block_bytes && b < a + dst.block_bytes) return true;
    }
  }
  return false;
}

// Elements that grow where they lie: what an iteration writes, a later one or its own has not read.
bool grows(const Access& dst, const Access& src) {
  return dst.dtype != OPK_DTYPE_UNDEFINED && src.dtype != OPK_DTYPE_UNDEFINED &&
         dtype_bits(dst.dtype) > dtype_bits(src.dtype);
}

// Counts only what other iterations wrote where data choose: an iteration may read all.
bool clash(const Access& dst, const Access& src) {
  if (is_vague(src)) return false;
  if (dst.address == src.address) return grows(dst, src);
  if (is_one_run(dst) && is_one_run(src)) return clash_contiguous(dst, src);
  const uint32_t repeats = std::min(dst.repeats, src.repeats);
  for (uint32_t r = 0; r < repeats; ++r) {
    if (clash_in_repeat(dst, src, r)) return true;
  }
  return false;
}

// Cheap: whether the two operands can share a byte at all.
bool may_meet(const Access& a, const Access& b) {
  return a.address < end_of(b) && b.address < end_of(a);
}

std::string overtaking_text(const Access& dst, uint32_t i) {
  return "a later iteration reads as source " + std::to_string(i) +
         " what an earlier one has written in " + memory_name(dst.memory);
}

std::string clash_text(const Access& dst, const Access& src, uint32_t i) {
  const std::string memory = memory_name(dst.memory);
  if (dst.address == src.address)
    return std::string("widens ") + dtype_name(src.dtype) + " to " + dtype_name(dst.dtype) +
           " over its own bytes in " + memory + ": source and destination start at the same byte";
  return "destination and source " + std::to_string(i) +
         " overlap without coinciding: they start " +
         std::to_string(std::abs(dst.address - src.address)) + " bytes apart in " + memory;
}

}  // namespace

void judge_overlap(State& state, CoreState& core, const Footprint& f, const Party& who) {
  if (f.access_count == 0 || !f.access[0].write) return;
  const Access& dst = f.access[0];
  for (uint32_t i = 1; i < f.access_count; ++i) {
    const Access& src = f.access[i];
    if (src.write || dst.memory != src.memory || !may_meet(dst, src)) continue;
    const bool clashes = clash(dst, src);
    if (!clashes && !overtakes(f, dst, src)) continue;
    if (state.log.repeated("EK1290", f.pc, nullptr)) return;
    Finding finding;
    finding.code = "EK1290";
    finding.message = clashes ? clash_text(dst, src, i) : overtaking_text(dst, i);
    finding.action = clashes ? "use the same start for both, or separate them"
                             : "separate them, or let both move on by the same strides";
    finding.at = state.place(who);
    finding.at.operands = operands_of(state, core, who);
    state.log.add(std::move(finding));
    return;
  }
}

}  // namespace opkit::core::checked
