// What instructions touch, in words: "writes UB 0..1024; reads GM 'x' 4096..5120".
#ifndef OPKIT_CORE_MODES_CHECKED_OPERANDS_H_
#define OPKIT_CORE_MODES_CHECKED_OPERANDS_H_

#include "opkit/core/modes/checked/state.h"

namespace opkit::core::checked {

// Keeps the operands of a site's last execution in its core.
void remember_operands(CoreState& core, const Party& party, const Footprint& footprint);

// Empty when the site ran again since then, or in another core.
std::string operands_of(const State& state, const CoreState& core, const Party& party);

}  // namespace opkit::core::checked

#endif  // OPKIT_CORE_MODES_CHECKED_OPERANDS_H_
