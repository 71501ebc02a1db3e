// Mmad with m = 1 reads its left matrix as a plain row of k elements (page "Mmad", GEMV). Checked
// follows which bytes of L1 and L0A hold several columns of fractals instead.
#ifndef OPKIT_CORE_MODES_CHECKED_ROW_VECTORS_H_
#define OPKIT_CORE_MODES_CHECKED_ROW_VECTORS_H_

#include "opkit/core/modes/checked/state.h"
#include "opkit/core/state/footprint.h"

namespace opkit::core::checked {

// Returns what a copy or load leaves where it writes.
PartyKind kind_left_by(const CoreState& core, const Footprint& f);

void judge_row_vector(State& state, CoreState& core, const Footprint& f, const Party& who);

}  // namespace opkit::core::checked

#endif  // OPKIT_CORE_MODES_CHECKED_ROW_VECTORS_H_
