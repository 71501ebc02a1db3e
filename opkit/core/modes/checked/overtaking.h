// Whether a later iteration of a vector instruction reads what an earlier one has written.
#ifndef OPKIT_CORE_MODES_CHECKED_OVERTAKING_H_
#define OPKIT_CORE_MODES_CHECKED_OVERTAKING_H_

#include "opkit/core/state/footprint.h"

namespace opkit::core::checked {

// Iterations run one after the other; each takes kRepeatBytes of its widest operand. `dst` is the
// first access of `f`, `src` one of those that are read. Accumulation is no overtaking: of Add,
// Sub, Mul, Max and Min onto one of their sources, and of an instruction that reads its
// destination.
bool overtakes(const Footprint& f, const Access& dst, const Access& src);

}  // namespace opkit::core::checked

#endif  // OPKIT_CORE_MODES_CHECKED_OVERTAKING_H_
