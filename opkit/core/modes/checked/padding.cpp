// What DataCopyPad may add (page "DataCopyPad(ISASI)": at most 32 bytes on either side).
#include <string>

#include "opkit/core/isa/copy_form.h"
#include "opkit/core/modes/checked/accesses.h"
#include "opkit/core/modes/checked/operands.h"

namespace opkit::core::checked {
namespace {

constexpr uint64_t kMostPadding = 32;  // bytes

}  // namespace

void judge_padding(State& state, CoreState& core, const Footprint& f, const Party& who) {
  const auto& c = *static_cast<const opk_copy_v1*>(f.instruction);
  if (c.op != OPK_C_PAD_IN) return;
  const uint64_t left = c.pad_left * element_bytes(c), right = c.pad_right * element_bytes(c);
  if (left <= kMostPadding && right <= kMostPadding) return;
  if (state.log.repeated("EK1011", f.pc, nullptr)) return;
  Finding finding;
  finding.code = "EK1011";
  finding.message = "pads " + std::to_string(left) + " bytes on the left and " +
                    std::to_string(right) +
                    " on the right; the instruction makes at most 32 on "
                    "either side";
  finding.action = "pad less, or fill the buffer first (Duplicate) and copy into it";
  finding.at = state.place(who);
  finding.at.operands = operands_of(state, core, who);
  state.log.add(std::move(finding));
}

}  // namespace opkit::core::checked
