// Outputs of which the launch has not written every byte.
#ifndef OPKIT_CORE_MODES_CHECKED_OUTPUTS_H_
#define OPKIT_CORE_MODES_CHECKED_OUTPUTS_H_

#include "opkit/core/modes/checked/state.h"

namespace opkit::core::checked {

// Warns of the GM ranges that are outputs and neither defined before nor added to by atomic copies.
// REQUIRES: every core came to its end, and nothing was refused.
void judge_outputs(State& state);

}  // namespace opkit::core::checked

#endif  // OPKIT_CORE_MODES_CHECKED_OUTPUTS_H_
