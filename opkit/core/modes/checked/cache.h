// The scalar data cache: SetValue and GetValue on GM go through lines of 64 bytes that no other
// pipe and no other core sees, until DataCacheCleanAndInvalid writes a line back and drops it
// (pages "DataCacheCleanAndInvalid", "WriteGmByPassDCache").
#ifndef OPKIT_CORE_MODES_CHECKED_CACHE_H_
#define OPKIT_CORE_MODES_CHECKED_CACHE_H_

#include "opkit/core/modes/checked/state.h"

namespace opkit::core::checked {

// Before the shadow learns of the instruction.
void judge_cache(State& state, CoreState& core, const Footprint& footprint, const Party& who);
// line: an address within it; nullptr: all lines of the core.
void clean_cache(State& state, CoreState& core, const uint8_t* line);

}  // namespace opkit::core::checked

#endif  // OPKIT_CORE_MODES_CHECKED_CACHE_H_
