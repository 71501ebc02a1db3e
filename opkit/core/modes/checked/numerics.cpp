// Values that leave the range of their type, and sums that lose what is added. A result can only be
// seen after its instruction ran, so it is examined at the core's next event; sums are worked out
// from the operands before.
#include <cmath>
#include <cstring>

#include "opkit/abi/num/bfloat16.h"
#include "opkit/abi/num/half.h"
#include "opkit/core/isa/operand.h"
#include "opkit/core/modes/checked/accesses.h"
#include "opkit/core/modes/checked/operands.h"

namespace opkit::core::checked {
namespace {

constexpr float kHalfMax = 65504.0f;

template <typename T>
T load(const uint8_t* p) {
  T value;
  std::memcpy(&value, p, sizeof(T));
  return value;
}

// In half, the largest value is what saturation leaves of an overflow.
template <typename T>
bool in_range(T value) {
  const auto f = static_cast<float>(value);
  return std::isfinite(f) && !(std::is_same_v<T, Half> && std::fabs(f) >= kHalfMax);
}

template <typename T>
const uint8_t* first_outside(const uint8_t* p, uint64_t bytes) {
  for (const uint8_t* end = p + bytes / sizeof(T) * sizeof(T); p < end; p += sizeof(T)) {
    if (!in_range(load<T>(p))) return p;
  }
  return nullptr;
}

// Returns the first value that is inf, NaN or, in half, the largest.
const uint8_t* first_outside(const Access& a) {
  const uint8_t* found = nullptr;
  for_each_run(a, [&](const uint8_t* p, uint64_t bytes) {
    if (found) return;
    switch (a.dtype) {
      case OPK_FLOAT32: found = first_outside<float>(p, bytes); break;
      case OPK_FLOAT16: found = first_outside<Half>(p, bytes); break;
      case OPK_BFLOAT16: found = first_outside<BFloat16>(p, bytes); break;
      default: break;
    }
  });
  return found;
}

bool is_exact(const Access& a) { return !a.partial || a.lane_bytes != 0; }

void report(State& state, CoreState& core, const char* code, const Party& who, std::string message,
            const char* action) {
  if (state.log.repeated(code, state.sites[who.site].pc, nullptr)) return;
  Finding finding;
  finding.code = code;
  finding.warning = true;
  finding.message = std::move(message);
  finding.action = action;
  finding.at = state.place(who);
  finding.at.operands = operands_of(state, core, who);
  state.log.add(std::move(finding));
}

// Operands that lie one element after the other.
bool is_run(const Access& a) { return a.blocks <= 1 && a.repeats <= 1 && !a.partial; }

// acc[i] += term(i) for n halves; counts the terms that change nothing.
template <typename Term>
void judge_terms(State& state, CoreState& core, const Party& who, const uint8_t* acc, uint64_t n,
                 Term term) {
  uint64_t lost = 0, first = 0;
  for (uint64_t i = 0; i < n; ++i) {
    const auto old = static_cast<float>(load<Half>(acc + 2 * i));
    const float t = term(i);
    if (t == 0.0f || old == 0.0f || !std::isfinite(old + t)) continue;
    if (static_cast<float>(Half(old + t)) == old && ++lost == 1) first = i;
  }
  if (lost == 0) return;
  report(state, core, "EK1313", who,
         "loses " + std::to_string(lost) + " of " + std::to_string(n) +
             " terms in an accumulator of half: element " + std::to_string(first) + " is " +
             std::to_string(static_cast<float>(load<Half>(acc + 2 * first))) + ", and adding " +
             std::to_string(term(first)) + " does not change it",
         "accumulate in float and Cast the sum to half at the end");
}

// A sum over n halves whose rounding errors add up to more than a hundredth.
void judge_sum(State& state, CoreState& core, const Party& who, const Access& src) {
  double exact = 0;
  float rounded = 0;
  const uint64_t n = src.block_bytes / 2;
  for (uint64_t i = 0; i < n; ++i) {
    const auto x = static_cast<float>(load<Half>(src.address + 2 * i));
    exact += x;
    if (i % 128 == 0) rounded = static_cast<float>(Half(rounded));
    rounded += x;
  }
  rounded = static_cast<float>(Half(rounded));
  if (!std::isfinite(rounded) || std::fabs(rounded - exact) <= 0.01 * std::fabs(exact)) return;
  report(state, core, "EK1313", who,
         "sums " + std::to_string(n) + " halves to " + std::to_string(rounded) + " instead of " +
             std::to_string(exact) + ", because the sum of every repeat is rounded to half",
         "Cast to float before summing");
}

// The accumulating forms of the vector unit.
void judge_accumulation(State& state, CoreState& core, const Footprint& f, const Party& who) {
  const auto& v = *static_cast<const opk_vector_v1*>(f.instruction);
  const Access &dst = f.access[0], &src = f.access[1];
  if (f.access_count < 2 || dst.dtype != OPK_FLOAT16 || !is_run(src)) return;
  if (v.op == OPK_V_REDUCE_SUM) return judge_sum(state, core, who, src);
  if (!is_run(dst)) return;
  const uint64_t n = dst.block_bytes / 2;
  const auto half_at = [](const Access& a, uint64_t i) {
    return static_cast<float>(load<Half>(a.address + 2 * i));
  };
  const float scalar = static_cast<float>(load<Half>(reinterpret_cast<const uint8_t*>(v.scalar)));
  const auto judge = [&](auto term) { judge_terms(state, core, who, dst.address, n, term); };
  const bool in_place = src.address == dst.address;
  switch (v.op) {
    case OPK_V_ADD:
      if (in_place || f.access[2].address == dst.address)
        judge([&](uint64_t i) { return half_at(in_place ? f.access[2] : src, i); });
      return;
    case OPK_V_ADDS:
      if (in_place) judge([&](uint64_t) { return scalar; });
      return;
    case OPK_V_AXPY:
      if (src.dtype == OPK_FLOAT16) judge([&](uint64_t i) { return half_at(src, i) * scalar; });
      return;
    case OPK_V_MUL_ADD_DST:
      judge([&](uint64_t i) { return half_at(src, i) * half_at(f.access[2], i); });
      return;
    default: return;
  }
}

}  // namespace

void remember_result(State& state, CoreState& core, const Footprint& f, const Party& who) {
  if (f.kind != InstructionKind::kVector && f.kind != InstructionKind::kMmad &&
      f.kind != InstructionKind::kFixpipe && f.kind != InstructionKind::kMatmul) {
    return;
  }
  for (uint32_t i = 0; i < f.access_count; ++i) {
    if (!f.access[i].write && is_exact(f.access[i]) && first_outside(f.access[i])) return;
  }
  if (f.kind == InstructionKind::kVector) judge_accumulation(state, core, f, who);
  core.pending.active = true;
  core.pending.party = who;
  core.pending.written.clear();
  for (uint32_t i = 0; i < f.access_count; ++i) {
    if (f.access[i].write && is_exact(f.access[i])) core.pending.written.push_back(f.access[i]);
  }
}

void judge_result(State& state, CoreState& core) {
  PendingResult& pending = core.pending;
  if (!pending.active) return;
  pending.active = false;
  for (const Access& a : pending.written) {
    const uint8_t* p = first_outside(a);
    if (!p) continue;
    const std::string where = " at byte " + std::to_string(p - a.address) + " of its destination";
    if (a.dtype == OPK_FLOAT16 && !std::isnan(static_cast<float>(load<Half>(p)))) {
      report(state, core, "EK1314", pending.party,
             "overflows half: " + std::to_string(static_cast<float>(load<Half>(p))) + where +
                 " stands for a value above 65504",
             "compute this step in float, or scale its inputs");
    } else {
      report(state, core, "EK1311", pending.party,
             std::string("makes inf or NaN out of finite inputs: ") + dtype_name(a.dtype) + where,
             "look at the inputs of this step");
    }
  }
}

}  // namespace opkit::core::checked
