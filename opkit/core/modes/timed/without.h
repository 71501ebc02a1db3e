// A recording without one flag or barrier of the source.
#ifndef OPKIT_CORE_MODES_TIMED_WITHOUT_H_
#define OPKIT_CORE_MODES_TIMED_WITHOUT_H_

#include "opkit/core/modes/timed/recording.h"

namespace opkit::core::timed {

// Leaves out the barriers at `pc`, and the flags that are set or waited for there, on both sides.
Recording without(const Recording& recording, const void* pc);

}  // namespace opkit::core::timed

#endif  // OPKIT_CORE_MODES_TIMED_WITHOUT_H_
