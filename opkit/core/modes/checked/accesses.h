// Judges what instructions read and write: initialisation, order between pipes and cores, buffers
// that are no longer owned.
#ifndef OPKIT_CORE_MODES_CHECKED_ACCESSES_H_
#define OPKIT_CORE_MODES_CHECKED_ACCESSES_H_

#include "opkit/core/modes/checked/state.h"

namespace opkit::core::checked {

void judge_accesses(State& state, CoreState& core, const Footprint& footprint);

// A source and a destination of one vector instruction that share bytes without coinciding.
void judge_overlap(State& state, CoreState& core, const Footprint& footprint, const Party& who);

// Padding of a DataCopyPad beyond what the instruction makes.
void judge_padding(State& state, CoreState& core, const Footprint& footprint, const Party& who);

// Results of the last instruction of the core: the first inf or NaN out of finite inputs.
void remember_result(State& state, CoreState& core, const Footprint& footprint, const Party& who);
void judge_result(State& state, CoreState& core);

}  // namespace opkit::core::checked

#endif  // OPKIT_CORE_MODES_CHECKED_ACCESSES_H_
