// The first inf or NaN that an instruction made out of finite inputs. A result can only be seen
// after its instruction ran, so it is examined at the core's next event.
#include <cmath>
#include <cstring>

#include "opkit/core/isa/operand.h"
#include "opkit/core/modes/checked/accesses.h"
#include "opkit/num/bfloat16.h"
#include "opkit/num/half.h"

namespace opkit::core::checked {
namespace {

template <typename T>
const uint8_t* first_not_finite(const uint8_t* p, uint64_t bytes) {
  for (const uint8_t* end = p + bytes / sizeof(T) * sizeof(T); p < end; p += sizeof(T)) {
    T value;
    std::memcpy(&value, p, sizeof(T));
    if (!std::isfinite(static_cast<float>(value))) return p;
  }
  return nullptr;
}

const uint8_t* first_not_finite(const Access& a) {
  const uint8_t* found = nullptr;
  for_each_run(a, [&](const uint8_t* p, uint64_t bytes) {
    if (found) return;
    switch (a.dtype) {
      case OPK_FLOAT32: found = first_not_finite<float>(p, bytes); break;
      case OPK_FLOAT16: found = first_not_finite<Half>(p, bytes); break;
      case OPK_BFLOAT16: found = first_not_finite<BFloat16>(p, bytes); break;
      default: break;
    }
  });
  return found;
}

}  // namespace

void remember_result(State&, CoreState& core, const Footprint& f, const Party& who) {
  if (f.kind != InstructionKind::kVector && f.kind != InstructionKind::kMmad &&
      f.kind != InstructionKind::kFixpipe) {
    return;
  }
  for (uint32_t i = 0; i < f.access_count; ++i) {
    if (!f.access[i].write && first_not_finite(f.access[i])) return;
  }
  core.pending.active = true;
  core.pending.party = who;
  core.pending.written.clear();
  for (uint32_t i = 0; i < f.access_count; ++i) {
    if (f.access[i].write && !f.access[i].partial) core.pending.written.push_back(f.access[i]);
  }
}

void judge_result(State& state, CoreState& core) {
  PendingResult& pending = core.pending;
  if (!pending.active) return;
  pending.active = false;
  for (const Access& a : pending.written) {
    const uint8_t* p = first_not_finite(a);
    if (!p || state.log.repeated("EK1311", state.sites[pending.party.site].pc, nullptr)) continue;
    Finding finding;
    finding.code = "EK1311";
    finding.warning = true;
    finding.message = std::string("makes inf or NaN out of finite inputs: ") + dtype_name(a.dtype) +
                      " at byte " + std::to_string(p - a.address) + " of its destination";
    finding.action = a.dtype == OPK_FLOAT16 ? "half ends at 65504; compute this step in float"
                                            : "look at the inputs of this step";
    finding.at = state.place(pending.party);
    state.log.add(std::move(finding));
  }
}

}  // namespace opkit::core::checked
