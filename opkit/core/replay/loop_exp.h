// Exp and Ln on lanes: the sequences of opkit/core/rows/rows_math.cpp.
#ifndef OPKIT_CORE_REPLAY_LOOP_EXP_H_
#define OPKIT_CORE_REPLAY_LOOP_EXP_H_

#include "opkit/core/replay/body_writer.h"

namespace opkit::core {

ValueId exp_lanes(ValueId x, BodyWriter& to);
ValueId ln_lanes(ValueId x, BodyWriter& to);

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_LOOP_EXP_H_
