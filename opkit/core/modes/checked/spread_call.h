// The vector instruction whose unset bytes are being followed, as the engine's call of it.
#ifndef OPKIT_CORE_MODES_CHECKED_SPREAD_CALL_H_
#define OPKIT_CORE_MODES_CHECKED_SPREAD_CALL_H_

#include "opkit/core/isa/vector/call.h"
#include "opkit/core/modes/checked/state.h"
#include "opkit/core/modes/checked/unset.h"

namespace opkit::core::checked {

inline VectorCall call_of(const Spread& s) {
  return {*s.core.core, *static_cast<const opk_vector_v1*>(s.f.instruction), s.f.pc};
}

}  // namespace opkit::core::checked

#endif  // OPKIT_CORE_MODES_CHECKED_SPREAD_CALL_H_
